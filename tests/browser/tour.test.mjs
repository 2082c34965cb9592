// The main job: what ./run does without arguments, and the two pages that it leaves.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import test from "node:test";

import { accessibilityFaults, openFile, overflowsSideways, sizes, startBrowser, temporaryFolder,
         vapor } from "./harness.mjs";

// Path and time of change of every file of the records.
function recordsOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /episodes\.csv$|timing\.csv$/.test(name))
    .map((name) => `${name} ${statSync(path.join(folder, name)).mtimeMs}`)
    .sort();
}

test("the tour", async (t) => {
  const folder = temporaryFolder(t);
  const said = vapor(folder, []).stdout;
  const browser = await startBrowser(t);

  await t.test("says what it does, and ends with the report and three commands", () => {
    for (let step = 1; step <= 7; ++step) assert.match(said, new RegExp(`^\\[${step}/7\\] `, "m"));
    assert.doesNotMatch(said, /nan|\x1b/);
    assert.match(said, /value {2}1\.\d{12}/);
    const lines = said.trimEnd().split("\n");
    assert.match(said, /^ {2}out\/report\/index\.html$/m);
    assert.deepEqual(lines.slice(-4).map((line) => line.trim().split(" ")[0]),
                     ["Next", "vapor", "vapor", "vapor"]);
  });

  await t.test("again, finds its records and plays nothing", () => {
    const before = recordsOf(path.join(folder, "out"));
    assert.ok(before.length > 300);
    const answer = JSON.parse(vapor(folder, ["tour", "--json"]).stdout);
    assert.deepEqual(recordsOf(path.join(folder, "out")), before);
    assert.equal(answer.report, "out/report/index.html");
    assert.equal(answer.certificate.status, "solved");
  });

  await t.test("shows commands that are real", () => {
    const shown = said.split("\n").filter((line) => line.startsWith("  $ vapor reproduce "));
    assert.equal(shown.length, 5);
    for (const line of shown) {
      const [command, name] = line.slice(4).split(" --out ");
      const findings = JSON.parse(readFileSync(path.join(folder, name, "findings.json"), "utf8"));
      assert.deepEqual(findings.command.split(" ").sort(), command.split(" ").sort());
    }
  });

  for (const page of ["out/report/index.html", "out/view.html"])
    for (const [name, size] of Object.entries(sizes))
      for (const dark of [false, true])
        await t.test(`${page}: ${name}${dark ? ", dark" : ""}`, async () => {
          const opened = await openFile(browser, path.join(folder, page), { size, dark });
          await opened.locator(page.includes("report") ? ".plot svg" : "canvas").first().waitFor();
          assert.equal(await overflowsSideways(opened), false);
          if (size === sizes.phone && !dark)
            assert.deepEqual(await accessibilityFaults(opened), []);
          assert.deepEqual(opened.complaints, []);
          await opened.close();
        });
});

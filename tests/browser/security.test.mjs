// Pages of records that somebody else wrote, with names that try to become a part of the page.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";

import { openFile, startBrowser, temporaryFolder, vapor } from "./harness.mjs";

const scripts = "</script><script>window.taken = 1</script>";
const image = `"'><img src=x onerror="window.taken = 2"><svg onload="window.taken = 3">`;
const reversed = "\u202egnp.exe\u2066 a&b";
const gymnasium = `gymnasium:<iframe src="javascript:parent.taken=4">`;

function write(folder, name, text) {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

function writeRun(folder, agent, env, change = {}) {
  const episodes = ["episode,return,value,regret,success"];
  const timing = ["episode,seconds"];
  for (let k = 1; k <= 20; ++k) {
    episodes.push(`${k},${k / 20},0.5,0.5,${k % 2}`);
    timing.push(`${k},0.001`);
  }
  write(folder, "episodes.csv", `${episodes.join("\n")}\n`);
  write(folder, "timing.csv", `${timing.join("\n")}\n`);
  write(folder, "run.json", JSON.stringify({
    format: "vapor-run", format_version: 2, status: "finished", version: "0.1.0",
    command: `vapor run ${agent}`,
    definition: { env, agent, belief: scripts, episodes: 20, seed: 1, stop: "never",
                  snapshot_every: 0 },
    ...change,
  }));
}

// All text that a reader can see, plots included.
const seen = (page) => page.evaluate(() => document.body.textContent);
const taken = (page) => page.evaluate(() => window.taken);

test("names in records stay text", async (t) => {
  const folder = temporaryFolder(t);
  const names = [scripts, image, reversed];
  names.forEach((agent, k) => {
    writeRun(path.join(folder, "runs", `table-${k}`), `vapor:c=${k}${agent}`, "deep_sea:depth=4");
    writeRun(path.join(folder, "runs", `foreign-${k}`), agent, gymnasium);
  });
  writeRun(path.join(folder, "runs", "bad <b>folder</b>"), "vapor", "deep_sea:depth=4",
    { status: image });
  write(folder, "runs/found/findings.json", JSON.stringify({
    format: "vapor-findings", format_version: 1, experiment: scripts, command: `vapor ${image}`,
    rows: [{ agent: image, [scripts]: 1, episodes: 2, note: reversed }],
  }));
  vapor(folder, ["report", "runs", "--out", "report", "--quiet", "--title", `all ${scripts}${image}`]);
  const file = path.join(folder, "report", "index.html");
  const browser = await startBrowser(t);
  const page = await openFile(browser, file);
  await page.waitForFunction(() => document.documentElement.dataset.drawn === "all");

  await t.test("nothing of them runs, and nothing is loaded", async () => {
    assert.equal(await taken(page), undefined);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(await page.$$eval("iframe, object, embed, base, [onerror], [onload]",
      (all) => all.map((e) => e.outerHTML)), []);
  });

  await t.test("they are shown as they are", async () => {
    const text = await seen(page);
    assert.ok(text.includes("window.taken = 1"), "the name is not shown");
    assert.ok((await page.title()).includes(scripts));
    assert.ok(text.includes("onerror="));
    assert.ok(text.includes("bad <b>folder</b>"));
  });

  await t.test("names that turn the direction of writing turn only themselves", async () => {
    const loose = await page.$$eval("code, td, figcaption code", (all) => all
      .filter((e) => /[\u202a-\u202e\u2066-\u2069]/.test(e.textContent))
      .map((e) => getComputedStyle(e).unicodeBidi).filter((bidi) => !bidi.startsWith("isolate")));
    assert.deepEqual(loose, []);
  });

  // The escapes are one wall, the policy is the other: a script that got into the page all the same
  // does not run.
  await t.test("a script that got in would not run", async () => {
    const html = readFileSync(file, "utf8");
    assert.match(html, /script-src 'sha256-[^;]*; /);
    assert.doesNotMatch(html, /script-src[^;]*unsafe/);
    const broken = path.join(folder, "broken.html");
    writeFileSync(broken, html.replace("</body>",
      "<script>window.taken = 5</script><img src=x onerror='window.taken = 6'>" +
      "<a href='javascript:window.taken = 7' id=trap>x</a></body>"));
    const other = await openFile(browser, broken);
    await other.waitForFunction(() => document.documentElement.dataset.drawn === "all");
    await other.evaluate(() => document.getElementById("trap").click());
    assert.equal(await taken(other), undefined);
    assert.ok(other.complaints.some((line) => line.includes("Content Security Policy")));
  });
});

test("a viewer of somebody's snapshots keeps its text", async (t) => {
  const folder = temporaryFolder(t);
  vapor(folder, ["run", "--env", "deep_sea:depth=3", "--agent", "vapor", "--episodes", "10",
    "--snapshot-every", "5", "--quiet", "--out", "run"]);
  const record = path.join(folder, "run", "seed-1", "run.json");
  const run = JSON.parse(readFileSync(record, "utf8"));
  run.definition.agent = `vapor ${scripts}${image}`;
  run.command = image;
  delete run.files; // as a record of before there were checksums
  delete run.checksum;
  writeFileSync(record, JSON.stringify(run));
  vapor(folder, ["view", "run/seed-1", "--out", "view.html", "--quiet"]);
  const browser = await startBrowser(t);
  const page = await openFile(browser, path.join(folder, "view.html"));
  await page.waitForTimeout(500);
  assert.equal(await taken(page), undefined);
  assert.deepEqual(page.complaints, []);
  assert.ok((await seen(page)).includes("window.taken = 1"));
});

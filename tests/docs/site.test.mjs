// The built site in Chromium, opened as files: VAPOR_SITE names its folder.
import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { openFile, overflowsSideways, sizes, startBrowser } from "../browser/harness.mjs";

const site = process.env.VAPOR_SITE;
const home = path.join(site, "docs", "README.html");

// A site is many files: only what is fetched from elsewhere is a complaint.
function complaints(page) {
  return page.complaints.filter((c) => !c.startsWith("request: file:"));
}

test("the entry leads home, where every section of the navigation is listed", async (t) => {
  const browser = await startBrowser(t);
  const page = await openFile(browser, path.join(site, "index.html"));
  await page.waitForURL("**/docs/README.html");
  const captions = await page.locator(".sidebar-tree .caption").allTextContents();
  assert.deepEqual(captions.map((c) => c.trim()), [
    "Start here", "Using it", "Solver methods", "Agents, one by one", "Experiments", "Reference", "How to",
    "About",
  ]);
  assert.deepEqual(complaints(page), []);
});

test("the search works without a server", async (t) => {
  const browser = await startBrowser(t);
  const page = await openFile(browser, home);
  await page.locator("input.sidebar-search").fill("astronomical");
  await page.locator("input.sidebar-search").press("Enter");
  const results = page.locator("ul.search li a");
  await results.first().waitFor();
  assert.match((await results.allTextContents()).join("\n"), /frank_wolfe/);
  await results.filter({ hasText: "frank_wolfe" }).first().click();
  await page.locator("h1", { hasText: "frank_wolfe" }).waitFor();
  assert.deepEqual(complaints(page), []);
});

test("no page sticks out to the side, on a phone or on a desk", async (t) => {
  const browser = await startBrowser(t);
  for (const size of Object.values(sizes)) {
    const page = await openFile(browser, home, { size });
    const pages = await page.locator(".sidebar-tree a.reference.internal")
      .evaluateAll((links) => links.map((a) => a.href));
    assert.ok(pages.length > 30, `${pages.length} pages in the navigation`);
    for (const address of pages) {
      await page.goto(address);
      assert.equal(await overflowsSideways(page), false, `${address} at ${size.width}`);
    }
    assert.deepEqual(complaints(page), []);
    await page.context().close();
  }
});

test("the reference has the names of the package and of the headers", async (t) => {
  const browser = await startBrowser(t);
  const page = await openFile(browser, path.join(site, "docs", "python-reference.html"));
  for (const name of ["vapor.solve", "vapor.learn", "vapor.Belief.about", "vapor.RandomStream.split",
    "vapor.charts.runs_chart", "vapor.deep.train"]) {
    const entry = page.locator(`dl:has(> dt[id="${name}"]) > dd`).first();
    assert.match(await entry.textContent(), /\w{3}/, name);
  }
  await page.goto(new URL("headers/solver.html", page.url()).href);
  await page.locator("h2", { hasText: "solver/solve.h" }).waitFor();
  assert.match(await page.locator("#solver-solve-h .highlight-cpp").textContent(), /Solution solve\(/);
  assert.deepEqual(complaints(page), []);
});

test("dark mode follows the system", async (t) => {
  const browser = await startBrowser(t);
  const brightness = async (dark) => {
    const page = await openFile(browser, home, { dark });
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.deepEqual(complaints(page), []);
    return Math.max(...colour.match(/\d+/g).slice(0, 3).map(Number));
  };
  assert.ok((await brightness(false)) > 200);
  assert.ok((await brightness(true)) < 60);
});

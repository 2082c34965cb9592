// The page of `vapor view`, used as people use it.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { accessibilityFaults, openFile, overflowsSideways, sizes, startBrowser, temporaryFolder,
         vapor } from "./harness.mjs";

// A run with snapshots; returns its folder.
function makeRun(folder, env, agent, episodes = 60, every = 10) {
  const out = path.join(folder, `${env}-${agent}`.replace(/[:=,]/g, "-"));
  vapor(folder, ["run", "--env", env, "--agent", agent, "--episodes", String(episodes),
    "--snapshot-every", String(every), "--out", out, "--quiet"]);
  return path.join(out, "seed-1");
}

function makePage(folder, name, ...runs) {
  const file = path.join(folder, name);
  vapor(folder, ["view", ...runs, "--out", file]);
  return file;
}

const settle = (page) => page.evaluate(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(done))));

// What a map looks like, and where its cell is on the screen.
const canvas = (page, quantity, run = 0) =>
  page.locator(`[data-quantity="${quantity}"] canvas[data-run="${run}"]`);
const picture = (page, quantity, run = 0) =>
  canvas(page, quantity, run).evaluate((c) => c.toDataURL());

async function moveSlider(page, moment) {
  await page.locator("#slider").evaluate((slider, value) => {
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, moment);
  await settle(page);
}

async function clickCell(page, quantity, row, column, rows, columns, run = 0) {
  const map = canvas(page, quantity, run);
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox();
  await map.click({ position: {
    x: (column + 0.5) / columns * box.width, y: (row + 0.5) / rows * box.height } });
  await settle(page);
}

// The numbers of the explanation: by term, with sum, V and residual.
const terms = (page, run = 0) => page
  .locator(`.explanation[data-run="${run}"] .terms tr[data-term]`)
  .evaluateAll((rows) => Object.fromEntries(
    rows.map((row) => [row.dataset.term, Number(row.dataset.value)])));

function assertSumsToPrice(numbers, keys) {
  assert.deepEqual(Object.keys(numbers), [...keys, "sum", "V", "residual"]);
  const sum = keys.reduce((total, key) => total + numbers[key], 0);
  const size = Math.max(1, ...Object.values(numbers).map(Math.abs));
  assert.ok(Math.abs(sum - numbers.sum) < 1e-9 * size, JSON.stringify(numbers));
  assert.ok(Math.abs(sum - numbers.V) < 1e-3 * size, JSON.stringify(numbers));
}

const folder = temporaryFolder({ after });
const browser = await startBrowser({ after });
// Solved to the last digit, so that the terms of V add up; a run of the default tolerance says what is left.
const exact = "vapor:tolerance=1e-9";
const seaRun = makeRun(folder, "deep_sea:depth=10", exact);
const sea = makePage(folder, "sea.html", seaRun);
const pair = makePage(folder, "pair.html", seaRun,
  makeRun(folder, "deep_sea:depth=10", "thompson", 40));
const rooms = makePage(folder, "rooms.html",
  makeRun(folder, "four_rooms:size=5", "max-entropy:method=program", 6, 3));
const river = makePage(folder, "river.html", makeRun(folder, "river_swim", "vapor", 20, 10));
const gridRun = makeRun(folder, "grid_world:size=5", exact, 20, 10);
const grid = makePage(folder, "grid.html", gridRun);

test("the slider moves, and the maps with it", async () => {
  const page = await openFile(browser, sea);
  await settle(page);
  const last = await picture(page, "counts");
  assert.equal(await page.locator("#moment").textContent(), "after 60 of 60 episodes");
  await moveSlider(page, 0);
  assert.notEqual(await picture(page, "counts"), last);
  assert.equal(await page.locator("#moment").textContent(), "after 0 of 60 episodes");
  assert.equal(await page.locator("#slider").getAttribute("aria-valuetext"), "after 0 episodes");
  await page.locator("#slider").focus();
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.equal(await canvas(page, "lambda").getAttribute("data-episodes"), "10");
  await moveSlider(page, 6);
  assert.equal(await picture(page, "counts"), last);
  assert.deepEqual(page.complaints, []);
});

test("play runs to the end and stops there", async () => {
  const page = await openFile(browser, sea);
  await page.locator("#play").click();
  assert.equal(await page.locator("#play").textContent(), "Pause");
  await page.locator("#play", { hasText: "Play" }).waitFor();
  assert.equal(await page.locator("#moment").textContent(), "after 60 of 60 episodes");
  assert.deepEqual(page.complaints, []);
});

test("every map has several colours, a bar with numbers, and words", async () => {
  const page = await openFile(browser, sea);
  await moveSlider(page, 3);
  for (const quantity of ["lambda", "tau", "sigma_hat", "counts", "V", "reward_mean", "policy"]) {
    const colours = await canvas(page, quantity).evaluate((c) => {
      const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colours > 5, `${quantity} has ${colours} colours`);
    const figure = page.locator(`[data-quantity="${quantity}"]`);
    assert.ok(await figure.locator(".ticks span").count() >= 2, quantity);
    assert.match(await figure.locator(".how").textContent(),
      /^Unit: (probability|reward|visits); /);
  }
});

test("colours keep their meaning over time unless asked for the moment alone", async () => {
  const page = await openFile(browser, sea);
  const top = () => page.locator('[data-quantity="counts"] .ticks .high').textContent();
  await moveSlider(page, 6);
  const whole = await top();
  assert.equal(whole, "60");
  await moveSlider(page, 1);
  assert.equal(await top(), whole);
  await page.locator("#rescale").check();
  await settle(page);
  assert.equal(await top(), "10");
});

test("a click on a cell explains it, and the terms sum to V(s)", async () => {
  const page = await openFile(browser, sea);
  await moveSlider(page, 2);
  await clickCell(page, "lambda", 2, 1, 10, 10);
  assert.match(await page.locator(".summary").textContent(),
    /^At row 2, column 1, timestep 2, after 20 episodes, vapor:tolerance=1e-9 takes action [01] \(down/);
  const vaporTerms = ["reward", "optimism", "entropy", "normaliser", "price"];
  assertSumsToPrice(await terms(page), vaporTerms);
  for (const action of [0, 1]) {
    await page.locator(`input[name="action-0"][value="${action}"]`).check();
    assert.equal(await page.locator("#why h3").textContent(), `Why action ${action}?`);
    assert.ok("V" in await terms(page));
  }
  const shares = await page.locator("#why tr[data-row=policy] td").evaluateAll((cells) =>
    cells.map((cell) => Number(cell.textContent.replace("\u2212", "-"))));
  assert.ok(Math.abs(shares[0] + shares[1] - 1) < 1e-3, shares);
  assert.deepEqual(page.complaints, []);
});

test("in all grids the explanation of likely states adds up", async () => {
  const page = await openFile(browser, grid);
  await clickCell(page, "lambda", 1, 1, 5, 5);
  assert.ok(await page.locator("#why select option").count() > 1, "timesteps share the cell");
  assertSumsToPrice(await terms(page), ["reward", "optimism", "entropy", "normaliser", "price"]);
  await page.locator("#step-choice").selectOption("2");
  await settle(page);
  await clickCell(page, "lambda", 1, 1, 5, 5);
  assert.match(await page.locator(".summary").textContent(), /timestep 2,/);
  assert.equal(await page.locator("#why select").count(), 0);
});

test("the weighted entropy has its own terms, without rewards", async () => {
  const page = await openFile(browser, rooms);
  await clickCell(page, "lambda", 0, 1, 5, 5);
  assertSumsToPrice(await terms(page), ["entropy", "normaliser", "price"]);
});

test("an older record shows its maps, and why it has no terms", async () => {
  const old = path.join(folder, "old");
  cpSync(seaRun, old, { recursive: true });
  for (const name of readdirSync(path.join(old, "snapshots"))) {
    const file = path.join(old, "snapshots", name);
    const { program, next_value, next, checksum, ...rest } = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify(rest));
  }
  const page = await openFile(browser, makePage(folder, "old.html", old));
  await settle(page);
  assert.ok(await canvas(page, "tau").isVisible());
  assert.match(await page.locator(".reason").textContent(), /made by an older vapor/);
  assert.deepEqual(page.complaints, []);
});

test("two environments of different shapes stand side by side", async () => {
  const page = await openFile(browser, makePage(folder, "shapes.html", seaRun, gridRun));
  await settle(page);
  await clickCell(page, "lambda", 9, 9, 10, 10);
  assert.match(await page.locator('.explanation[data-run="0"] .summary').textContent(), /row 9/);
  assert.equal(await page.locator('.explanation[data-run="1"] .summary').textContent(),
    "There is no state here.");
  await clickCell(page, "lambda", 1, 1, 5, 5, 1);
  for (const run of [0, 1])
    assert.match(await page.locator(`.explanation[data-run="${run}"] .summary`).textContent(),
      /^At row 1, column 1/);
  assert.deepEqual(page.complaints, []);
});

test("the keyboard alone is enough", async () => {
  const page = await openFile(browser, sea);
  await canvas(page, "lambda").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await settle(page);
  assert.match(await page.locator("#announcer").textContent(), /^row 2, column 1: lambda /);
  assert.match(await page.locator(".summary").textContent(), /^At row 0, column 0/);
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".summary").textContent(), /^At row 2, column 1/);
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
  assert.match(await page.locator("#announcer").textContent(), /^row 0, column 1: no state/);
  await page.locator('input[name="action-0"][value="0"]').focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.value), "1");
});

test("states in a line are no grid, and actions keep their names", async () => {
  const page = await openFile(browser, river);
  await clickCell(page, "lambda", 0, 2, 1, 6);
  await page.locator('input[name="action-0"][value="1"]').check();
  assert.match(await page.locator(".summary").textContent(), /^At state 2, timestep \d+, after /);
  assert.match(await page.locator(".summary").textContent(),
    /takes action 1 \(right, but most likely stays here\)/);
  assert.deepEqual(await page.locator(".actions th .why").allTextContents(),
    ["left", "right, but most likely stays here"]);
  assert.match(await page.locator('[data-quantity="lambda"] .readout').textContent(), /^state 2: /);
  assert.doesNotMatch(await page.locator("body").innerText(), /\b(row|column) \d/);
});

test("the layered graph shows the same states elsewhere", async () => {
  const page = await openFile(browser, grid);
  await settle(page);
  const before = await picture(page, "V");
  const place = /^At row \d+, column \d+, timestep \d+/;
  const said = (await page.locator(".summary").textContent()).match(place)[0];
  await page.locator("#view-choice").selectOption("graph");
  await settle(page);
  assert.notEqual(await picture(page, "V"), before);
  assert.equal((await page.locator(".summary").textContent()).match(place)[0], said);
  assert.ok(!await page.locator("#step-choice").isVisible());
});

test("numbers of one action differ from those of the state", async () => {
  const page = await openFile(browser, sea);
  await settle(page);
  const whole = await picture(page, "counts");
  await page.locator("#action-choice").selectOption("1");
  await settle(page);
  assert.notEqual(await picture(page, "counts"), whole);
  assert.match(await page.locator('[data-quantity="counts"] .how').textContent(), /action 1/);
});

test("two agents side by side share the slider and the scales", async () => {
  const page = await openFile(browser, pair);
  await moveSlider(page, 2);
  const names = await page.locator('[data-quantity="counts"] .name').allTextContents();
  assert.deepEqual(names, [exact, "thompson"]);
  assert.notEqual(await picture(page, "counts", 0), await picture(page, "counts", 1));
  assert.equal(await page.locator('[data-quantity="counts"] .colour-bar').count(), 1);
  for (const run of [0, 1])
    assert.equal(await canvas(page, "lambda", run).getAttribute("data-episodes"), "20");
  assert.ok(await canvas(page, "tau", 0).isVisible());
  assert.ok(!await canvas(page, "tau", 1).isVisible());
  assert.match(await page.locator('[data-quantity="tau"] .absent >> nth=1').textContent(),
    /thompson has no tau: it solves no program/);
  assert.match(await page.locator('.explanation[data-run="1"] .reason').textContent(),
    /solves no program/);
  await moveSlider(page, 6);
  assert.equal(await canvas(page, "lambda", 1).getAttribute("data-episodes"), "40");
  assert.match(await page.locator(".runs li >> nth=1").textContent(), /shown: after 40 episodes/);
  assert.deepEqual(page.complaints, []);
});

for (const [name, file] of Object.entries({ sea, pair, rooms, river, grid }))
  for (const [size, dark] of [["desktop", false], ["desktop", true], ["phone", false],
    ["phone", true]])
    test(`${name}, ${size}, ${dark ? "dark" : "light"}: fits, is accessible, complains of nothing`,
      async () => {
        const page = await openFile(browser, file, { size: sizes[size], dark });
        await settle(page);
        assert.equal(await overflowsSideways(page), false);
        assert.deepEqual(await accessibilityFaults(page), []);
        assert.deepEqual(page.complaints, []);
      });

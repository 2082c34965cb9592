// The page of `vapor report` in a real browser, from real records of a few seconds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";

import {
  accessibilityFaults, openFile, overflowsSideways, sizes, startBrowser, temporaryFolder, vapor,
} from "./harness.mjs";

// Learning times, regret under its bound, occupancies of findings and of snapshots, and a table.
function makeReport(folder) {
  for (const agent of ["vapor", "thompson", "soft-q"])
    for (const depth of [4, 8]) {
      vapor(folder, ["run", "--env", `deep_sea:depth=${depth}`, "--agent", agent, "--episodes", "60",
        "--seeds", "3", "--stop-when-solved", "--quiet", "--out", `runs/sea/${depth}/${agent}`]);
    }
  for (const agent of ["vapor", "thompson"])
    vapor(folder, ["run", "--env", "grid_world:size=5", "--agent", agent, "--episodes", "30",
      "--seeds", "2", "--snapshot-every", "10", "--quiet", "--out", `runs/grid/${agent}`]);
  for (const experiment of ["regret", "grid-world", "toy-chain"])
    vapor(folder, ["reproduce", experiment, "--quick", "--quiet", "--out", `runs/${experiment}`]);
  vapor(folder, ["report", "runs", "--out", "report", "--quiet"]);
  return path.join(folder, "report", "index.html");
}

const drawn = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.drawn === "all");

// The smallest contrast, by WCAG's formula, of the labels in the plots against the background.
function leastContrast(page) {
  return page.evaluate(() => {
    const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
    const luminance = (colour) => {
      const [r, g, b] = channels(colour).map((c) =>
        (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let least = Infinity;
    for (const figure of document.querySelectorAll("figure")) {
      const back = luminance(getComputedStyle(figure).backgroundColor);
      for (const text of figure.querySelectorAll(".plot text")) {
        const front = luminance(getComputedStyle(text).fill);
        least = Math.min(least, (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05));
      }
    }
    return least;
  });
}

const colours = (page) => page.evaluate(() =>
  [...document.querySelectorAll(".plot svg [stroke]")].map((e) => e.getAttribute("stroke")).join());

function parseCsv(text) {
  const rows = text.trimEnd().split("\n").map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1)
      .map((m) => m[1].replace(/^"|"$/g, "").replaceAll('""', '"')));
  return { columns: rows[0], rows: rows.slice(1) };
}

test("a report in a browser", async (t) => {
  const folder = temporaryFolder(t);
  const file = makeReport(folder);
  const browser = await startBrowser(t);

  await t.test("every plot has marks of every agent, and nothing complains", async () => {
    const page = await openFile(browser, file);
    await drawn(page);
    const plots = await page.$$eval("figure:has(.plot)", (figures) => figures.map((figure) => ({
      id: figure.id,
      marks: figure.querySelectorAll(
        ".plot svg :is(.mark-line, .mark-symbol, .mark-rect, .mark-area).role-mark path").length,
      label: figure.querySelector(".plot").getAttribute("aria-label"),
      role: figure.querySelector(".plot").getAttribute("role"),
    })));
    assert.deepEqual(plots.map((plot) => plot.id).sort(), [
      "deep-sea-improvement", "deep-sea-iqm", "deep-sea-time", "experiment-grid-world-maps",
      "grid-world-improvement", "grid-world-iqm", "grid-world-occupancy", "grid-world-regret",
      "grid-world-return", "random-mdp-2-improvement", "random-mdp-2-iqm", "random-mdp-2-regret",
      "random-mdp-2-return", "random-mdp-improvement", "random-mdp-iqm", "random-mdp-regret",
      "random-mdp-return"]);
    for (const plot of plots) {
      assert.ok(plot.marks > 0, `${plot.id} has no marks`);
      assert.equal(plot.role, "img");
      assert.match(plot.label, /\d/, plot.id);
    }
    const points = await page.$$("#deep-sea-time .mark-symbol.role-mark path");
    assert.equal(points.length, 3 * 2);  // agents x depths
    const legend = await page.$$eval("#deep-sea-time .role-legend-label text",
      (labels) => labels.map((label) => label.textContent));
    assert.deepEqual(legend, ["vapor", "soft-q", "thompson"]);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  await t.test("a section has one box of commands", async () => {
    const page = await openFile(browser, file);
    const boxes = await page.$$eval("main section:has(figure)", (sections) =>
      sections.map((section) => section.querySelectorAll("pre").length));
    assert.ok(boxes.length > 3);
    assert.deepEqual(new Set(boxes), new Set([1]));
  });

  await t.test("readers choose linear or logarithmic axes, which end with the data", async () => {
    const page = await openFile(browser, file);
    await drawn(page);
    const figure = page.locator("#grid-world-regret");
    const ticks = () => figure.locator(".role-axis-label text").allTextContents();
    const line = () => figure.locator(".mark-line.role-mark path").first().getAttribute("d");
    const [logTicks, logLine] = [await ticks(), await line()];
    assert.ok(logTicks.includes("2") && !logTicks.includes("50"), logTicks);  // of 30 episodes
    for (const name of ["logarithmic x axis", "logarithmic y axis"]) {
      const box = figure.getByLabel(name);
      assert.equal(await box.isChecked(), true);
      const before = await line();
      await box.uncheck();
      await page.waitForFunction((path) => document.querySelector(
        "#grid-world-regret .mark-line.role-mark path").getAttribute("d") !== path, before);
    }
    assert.ok((await ticks()).includes("0"), await ticks());
    await figure.getByLabel("logarithmic x axis").check();
    await figure.getByLabel("logarithmic y axis").check();
    await page.waitForFunction((before) => document.querySelector(
      "#grid-world-regret .mark-line.role-mark path").getAttribute("d") === before, logLine);
    assert.deepEqual(await page.locator("#grid-world-improvement").getByRole("checkbox").count(), 0);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  await t.test("a phone shows it without sideways scrolling", async () => {
    const page = await openFile(browser, file, { size: sizes.phone });
    await drawn(page);
    assert.equal(await overflowsSideways(page), false);
    const cut = await page.$$eval(".plot", (plots) => plots.filter((plot) =>
      plot.querySelector("svg").getBoundingClientRect().width > plot.clientWidth + 1).length);
    assert.equal(cut, 0);
    await page.$$eval("details", (all) => all.forEach((details) => { details.open = true; }));
    assert.equal(await overflowsSideways(page), false);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(page.complaints, []);
  });

  await t.test("dark mode is drawn in other colours that can be read", async () => {
    const page = await openFile(browser, file);
    await drawn(page);
    const light = await colours(page);
    assert.ok(await leastContrast(page) >= 4.5);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".plot")].every((plot) => plot.dataset.drawn === "dark"));
    assert.notEqual(await colours(page), light);
    assert.ok(await leastContrast(page) >= 4.5);
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(page.complaints, []);
  });

  await t.test("plots follow the width of the window", async () => {
    const page = await openFile(browser, file);
    await drawn(page);
    await page.setViewportSize(sizes.phone);
    await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((plot) =>
      plot.querySelector("svg").getBoundingClientRect().width <= plot.clientWidth + 1 &&
      plot.clientWidth < 360));
    assert.equal(await overflowsSideways(page), false);
  });

  await t.test("the data of a picture is a file with the numbers of its table", async () => {
    const page = await openFile(browser, file);
    await drawn(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"), page.click("#deep-sea-time .picture-data")]);
    assert.equal(download.suggestedFilename(), "deep-sea-time-picture.csv");
    const csv = parseCsv(readFileSync(await download.path(), "utf8"));
    const table = await page.$$eval("#deep-sea-time tbody tr", (rows) => rows.map((row) => ({
      agent: row.cells[0].textContent,
      numbers: [...row.querySelectorAll("data")].map((data) => data.getAttribute("value")),
    })));
    assert.equal(csv.rows.length, 6);
    const shown = ["mean", "standard_error", "low", "high", "iqm", "iqm_low", "iqm_high", "reached",
      "seeds"].map((name) => csv.columns.indexOf(name));
    assert.deepEqual(table.map((row) => row.agent), csv.rows.map((row) => row[0]));
    assert.deepEqual(table.map((row) => row.numbers.map(Number)),
      csv.rows.map((row) => shown.map((i) => Number(row[i]))));
    const [picture] = await Promise.all([
      page.waitForEvent("download"), page.click("#deep-sea-time .picture-svg")]);
    assert.match(readFileSync(await picture.path(), "utf8"), /^<svg/);
  });

  await t.test("the keyboard reaches contents, downloads and tables", async () => {
    const page = await openFile(browser, file);
    await drawn(page);
    const reached = new Set();
    for (let i = 0; i < 120; ++i) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => {
        const at = document.activeElement;
        const figure = at.closest("figure");
        return `${figure ? figure.id + " " : ""}${at.className || at.tagName}`;
      }));
    }
    for (const stop of ["skip-link", "A", "deep-sea-time picture-data", "deep-sea-time SUMMARY"])
      assert.ok(reached.has(stop), stop);
    await page.focus("#deep-sea-time summary");
    await page.keyboard.press("Enter");
    assert.equal(await page.$eval("#deep-sea-time details", (details) => details.open), true);
  });
});

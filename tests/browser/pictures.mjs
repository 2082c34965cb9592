// The pictures of docs/images: node pictures.mjs FOLDER IMAGES, FOLDER being that of a tour.
import path from "node:path";

import { openFile, startBrowser } from "./harness.mjs";

const [folder, images] = process.argv.slice(2);
const ending = { steps: [], after(step) { this.steps.push(step); } };
const browser = await startBrowser(ending);

const report = await openFile(browser, path.join(folder, "report/index.html"),
                              { size: { width: 900, height: 800 } });
const plot = report.locator("figure[id$=-time]:has-text('depth') .plot").first();
await plot.locator("svg").waitFor();
await plot.screenshot({ path: path.join(images, "learning-time.png") });

const view = await openFile(browser, path.join(folder, "view.html"),
                            { size: { width: 1280, height: 860 } });
await view.locator("canvas").first().waitFor();
const slider = view.locator("input[type=range]").first();
await slider.evaluate((s) => {
  s.value = String(Math.round(0.45 * Number(s.max)));
  s.dispatchEvent(new Event("input", { bubbles: true }));
});
await view.screenshot({ path: path.join(images, "viewer.png") });

for (const step of ending.steps) await step();

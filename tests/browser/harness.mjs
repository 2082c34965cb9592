// What the browser tests share: the built command, a Chromium, and a page whose every complaint is
// an error. CHROMIUM names another browser than the system's.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const packages = createRequire(path.join(process.env.VAPOR_BROWSER_DIR, "package.json"));
const { chromium } = packages("playwright-core");
const axe = packages.resolve("axe-core/axe.min.js");

export const sizes = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 360, height: 740 },
};

// Runs `vapor ARGS...` in `folder` and returns what it said; throws if it did not exit with `code`.
export function vapor(folder, args, code = 0) {
  const done = spawnSync(process.env.VAPOR_COMMAND, args, {
    cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" }, maxBuffer: 1 << 28,
  });
  if (done.status !== code)
    throw new Error(`vapor ${args.join(" ")}: exit ${done.status}\n${done.stdout}\n${done.stderr}`);
  return done;
}

export function temporaryFolder(test) {
  const folder = mkdtempSync(path.join(tmpdir(), "vapor-browser-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // try the next one
    }
  }
  throw new Error("no Chromium was found; set CHROMIUM to its path");
}

export async function startBrowser(test) {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  test.after(() => browser.close());
  return browser;
}

// Opens a file. `page.complaints` collects console errors and warnings, exceptions, and every
// request that leaves the page; a test ends with expecting it to be empty.
export async function openFile(browser, file, { size = sizes.desktop, dark = false } = {}) {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  const context = await browser.newContext({
    viewport: size, colorScheme: dark ? "dark" : "light", acceptDownloads: true,
  });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) page.complaints.push(`${m.type()}: ${m.text()}`);
  });
  page.on("pageerror", (e) => page.complaints.push(`exception: ${e.message}`));
  const own = pathToFileURL(file).href;
  page.on("request", (r) => {
    const url = r.url();
    if (!url.startsWith(own) && !url.startsWith("data:") && !url.startsWith("blob:"))
      page.complaints.push(`request: ${url}`);
  });
  await page.goto(own);
  return page;
}

// Nothing sticks out to the side: the page itself never scrolls sideways.
export async function overflowsSideways(page) {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth + 1);
}

// What axe finds wrong with the page for people who use a keyboard or a screen reader. The rules of
// the page's content security policy forbid scripts of files, so the text is evaluated.
export async function accessibilityFaults(page) {
  const { readFileSync } = await import("node:fs");
  await page.evaluate(readFileSync(axe, "utf8"));
  const result = await page.evaluate(() => window.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
  }));
  return result.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.target).join("; ")})`);
}

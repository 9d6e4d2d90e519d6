// Looks at a page as a reader does. node browser.js PLAYWRIGHT CHROMIUM WAY FOLDER
// Anything the page logs, asks of the network or throws is an error.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const [playwright, chromium, way, folder] = process.argv.slice(2);
const { chromium: browserType } = require(playwright);

async function open(browser, options = {}, media = undefined) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const trouble = [];
  const file = pathToFileURL(path.join(folder, "report.html")).href;
  page.on("console", (message) => trouble.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error}`));
  page.on("dialog", (dialog) => { trouble.push("a dialog"); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url().split("#")[0] !== file) trouble.push(`request: ${request.url()}`); });
  if (media) await page.emulateMedia(media);
  await page.goto(file, { waitUntil: "load" });
  const took = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType("navigation");
    return Math.round(entry.loadEventEnd - entry.startTime);
  });
  console.log(`${way}: loaded in ${took} ms at ${page.viewportSize().width} px`);
  return { page, trouble, close: async () => { assert.deepEqual(trouble, []); await context.close(); } };
}

const text = (page, selector) => page.locator(selector).innerText();
const boxes = (page) => page.locator("#flame-boxes .box").count();
const named = (page, name) => page.locator("#flame-boxes .box", { hasText: name }).first();
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1);
const shot = (page, name) => page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
const states = (page) => page.locator("#hypotheses tbody tr:not([hidden]) td:first-child").allInnerTexts();

const ways = {
  async reader(browser) {
    const { page, close } = await open(browser, { colorScheme: "light", permissions: [] });
    await shot(page, "light");
    // Zoom by click: the box and its callers fill the width, and it is told what it is.
    const all = await boxes(page);
    await named(page, "parse").click();
    assert.match(await text(page, "#flame-details"), /parse .*%/);
    assert.equal(await named(page, "parse").evaluate((box) => Math.round(parseFloat(box.style.width))), 100);
    await page.locator("#flame-reset").click();
    assert.equal(await boxes(page), all);
    // Search with its share; what is no pattern is taken by its letters.
    await page.locator("#flame-search").fill("parse|next");
    assert.match(await text(page, "#flame-found"), /^\d+ found, [\d.]+ % of /);
    assert.ok(await page.locator("#flame-boxes .found").count() > 0);
    await page.locator("#flame-search").fill("parse(");
    assert.match(await text(page, "#flame-found"), /^0 found/);
    await page.locator("#flame-search").fill("");
    // Callers, root below, other views, what changed.
    await page.locator("#flame-reverse").click();
    assert.match(await text(page, "#flame-told"), /who called it/);
    await page.locator("#flame-reverse").click();
    const top = () => page.locator("#box-0").evaluate((box) => parseFloat(box.style.top));
    assert.equal(await top(), 0);
    await page.locator("#flame-flip").click();
    assert.ok(await top() > 0);
    await page.locator("#flame-flip").click();
    for (const view of ["Off CPU", "Wall", "Allocation", "On CPU"]) {
      await page.locator("#flame-views button", { hasText: view }).click();
      assert.ok(await boxes(page) > 1, view);
    }
    await page.locator("#flame-change").click();
    assert.match(await text(page, "#flame-legend"), /no more than chance/);
    await shot(page, "change");
    await page.locator("#flame-change").click();
    // Sort and filter the causes.
    const first = await states(page);
    assert.equal(first.length, 6);
    await page.locator("#hypotheses thead button", { hasText: "state" }).click();
    const up = await states(page);
    await page.locator("#hypotheses thead button", { hasText: "state" }).click();
    assert.deepEqual(await states(page), up.slice().reverse().sort((a, b) => up.lastIndexOf(b) - up.lastIndexOf(a)));
    assert.equal(await page.locator("#hypotheses th[aria-sort=descending]").count(), 1);
    await page.locator(".filters button", { hasText: "rejected" }).click();
    assert.equal((await states(page)).length, 2);
    await page.locator(".filters button", { hasText: "all" }).click();
    // A link to evidence opens its row; a command is copied.
    await page.locator(".card .ev").first().click();
    assert.ok(await page.locator("#ev-0").isVisible());
    const copy = page.locator("#f-1 .copy");
    // The words come when the clipboard has answered, and go again: they are noted as they pass.
    await copy.evaluate((button) => {
      window.said = [];
      const note = () => window.said.push(button.textContent);
      new MutationObserver(note).observe(button, { childList: true, characterData: true, subtree: true });
    });
    await copy.click();
    await page.waitForFunction(() => window.said.some((word) => /Copied|Select it/.test(word)));
    // Light and dark.
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.locator("#theme").click();
    assert.notEqual(await paper(), light);
    await shot(page, "toggled");
    await close();
    const dark = await open(browser, { colorScheme: "dark" });
    await shot(dark.page, "dark");
    await dark.close();
  },

  async keyboard(browser) {
    const { page, close } = await open(browser);
    const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
    const active = () => page.evaluate(() => document.activeElement.id || document.activeElement.className);
    await press("Tab");
    assert.equal(await active(), "skip");
    await press("/");
    assert.equal(await active(), "flame-search");
    await page.keyboard.type("work");
    assert.match(await text(page, "#flame-found"), /found/);
    await press("Escape");
    assert.equal(await active(), "flame-boxes");
    await press("ArrowDown", "ArrowDown");
    const told = await text(page, "#flame-details");
    assert.notEqual(told, "");
    await press("ArrowRight", "ArrowLeft");
    assert.equal(await text(page, "#flame-details"), told);
    await press("Enter");
    assert.match(await text(page, "#flame-details"), /of the zoomed/);
    await press("Escape", "r");
    assert.match(await text(page, "#flame-told"), /who called it/);
    await press("r", "i");
    assert.equal(await page.locator("#flame-flip").getAttribute("aria-pressed"), "true");
    // Every switch can be reached and pressed without a mouse.
    const seen = new Set();
    const wanted = ["theme", "copy", "flame-search", "flame-reverse", "flame-reset", "flame-boxes"];
    for (let step = 0; step < 400 && !wanted.every((id) => seen.has(id)); step += 1) {
      await press("Tab");
      seen.add(await active());
    }
    for (const id of wanted) assert.ok(seen.has(id), `${id} of ${[...seen]}`);
    await page.locator("#theme").focus();
    await press("Enter");
    assert.ok(await page.evaluate(() => document.documentElement.dataset.theme));
    await close();
  },

  async hostile(browser) {
    const { page, close } = await open(browser);
    assert.equal(await page.evaluate(() => window.owned), undefined);
    assert.ok(await boxes(page) > 1);
    await page.locator("#flame-views button", { hasText: "Off CPU" }).click();
    await page.locator("#flame-boxes .box").nth(1).click();
    assert.match(await text(page, "#flame-details"), /window\.owned=1/);
    assert.equal(await page.evaluate(() => window.owned), undefined);
    assert.equal(await page.locator("img").count(), 0);
    const links = await page.locator("a").evaluateAll((all) => all.map((link) => link.protocol));
    assert.ok(links.every((protocol) => protocol === "file:"), String(links));
    assert.ok(await fits(page), "a long name does not widen the page");
    await shot(page, "hostile");
    await close();
  },

  async widths(browser) {
    for (const width of [380, 760, 1280, 2200]) {
      const { page, close } = await open(browser, { viewport: { width, height: 900 } });
      assert.ok(await fits(page), `${width} px`);
      await shot(page, String(width));
      await close();
    }
    const { page, close } = await open(browser, {}, { media: "print", colorScheme: "dark" });
    assert.equal(await page.locator("#contents").isVisible(), false);
    assert.equal(await page.locator(".copy").first().isVisible(), false);
    assert.ok(await page.locator("#verdict h1").isVisible());
    await shot(page, "print");
    await page.pdf({ path: path.join(folder, "print.pdf"), format: "A4" });
    await close();
  },

  async large(browser) {
    const { page, close } = await open(browser);
    assert.ok(await boxes(page) > 100);
    await page.locator("#flame-boxes .box").nth(5).click();
    await shot(page, "large");
    await close();
  },
};

(async () => {
  const browser = await browserType.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  try { await ways[way](browser); } finally { await browser.close(); }
})().catch((error) => { console.error(error); process.exitCode = 1; });

// Runs speedscope's own importer, which its package ships only inside the browser bundle: the page around it is a stub.
// Usage: node speedscope.js PACKAGE FILE; prints the imported profiles as JSON.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [, , home, file] = process.argv;
const folder = path.join(home, "dist/release");
const bundle = fs.readdirSync(folder).find((name) => /^speedscope-.*\.js$/.test(name));
const source = fs.readFileSync(path.join(folder, bundle), "utf8");
const door = /async function (\w+)\(\w+,\w+\)\{return\(await \w+\)\.importProfileGroupFromText/.exec(source);
const opened = `${source.slice(0, door.index)}globalThis.importText=(n,t)=>${door[1]}(n,t);${source.slice(door.index)}`;
const stub = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "" : stub),
  apply: () => stub, construct: () => stub, set: () => true,
});
const page = {
  window: globalThis, self: globalThis, document: stub, localStorage: stub, matchMedia: () => stub,
  location: { hash: "", protocol: "file:", pathname: "" }, addEventListener() {}, requestAnimationFrame() {},
  HTMLElement: class {}, Element: class {}, Node: class {},
};
for (const [key, value] of Object.entries(page)) {
  Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
}
process.on("unhandledRejection", () => {});
const told = console.log;
console.log = () => {};
try { vm.runInThisContext(opened); } catch (error) { if (!globalThis.importText) throw error; }
globalThis.importText(path.basename(file), fs.readFileSync(file, "utf8")).then((group) => {
  const profile = (each) => {
    const own = {};
    each.forEachFrame((frame) => { own[frame.name] = (own[frame.name] || 0) + frame.getSelfWeight(); });
    return { name: each.getName(), weight: each.getTotalWeight(), unit: each.getWeightUnit(), own };
  };
  told(JSON.stringify(group.profiles.map(profile)));
  process.exit(0);
}).catch((error) => { console.error(error); process.exit(1); });

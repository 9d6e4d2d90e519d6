"use strict";
// Flame graphs from the trees in the page: zoom, search, callers, root above or below, and what changed since another run.
// Boxes are laid out in shares of their frame, so they follow the page's width; only what is too narrow to see is left out.
(() => {
  const source = document.getElementById("trees");
  if (!source) return;
  const trees = JSON.parse(source.textContent);
  const at = (id) => document.getElementById(id);
  const [frame, told, found, details, legend] =
    ["flame-boxes", "flame-told", "flame-found", "flame-details", "flame-legend"].map(at);
  const [box, reverse, flip, change, reset, views] =
    ["flame-search", "flame-reverse", "flame-flip", "flame-change", "flame-reset", "flame-views"].map(at);
  const ROW = 20, NARROW = 0.7;
  const state = { view: trees.views[trees.first], way: "callees", flipped: false, changes: false, zoom: 0, focus: 0, pattern: null };
  const named = (tree, node) => trees.labels[tree.label[node]];

  // Fills are `#rrggbb`; on the darker ones letters are white.
  const dark = trees.fills.map((fill) => {
    const [red, green, blue] = [1, 3, 5].map((from) => parseInt(fill.slice(from, from + 2), 16));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 115;
  });

  // Depths and left edges, once for each tree. Parents stand before their children, so one pass is enough.
  const laid = new WeakMap();
  function layout(tree) {
    if (laid.has(tree)) return laid.get(tree);
    const n = tree.total.length;
    const start = new Float64Array(n), end = new Float64Array(n), depth = new Uint32Array(n);
    let deepest = 0;
    for (let node = 0; node < n; node += 1) {
      if (node > 0) {
        const parent = tree.parent[node];
        start[node] = end[parent];
        end[parent] += tree.total[node];
        depth[node] = depth[parent] + 1;
        deepest = Math.max(deepest, depth[node]);
      }
      end[node] = start[node];
    }
    const shape = { start, depth, deepest };
    laid.set(tree, shape);
    return shape;
  }
  const tree = () => state.view[state.way];
  const inside = (shape, now, node, outer) =>
    shape.start[node] >= shape.start[outer] && shape.start[node] + now.total[node] <= shape.start[outer] + now.total[outer];

  // Numbers for people.
  const three = (value) => (value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2));
  function weight(value) {
    const scales = { time: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]], bytes: [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"], [1, "B"]] };
    const scale = scales[state.view.unit];
    if (!scale) return `${value.toLocaleString("en")} ${state.view.unit}`;
    const [by, unit] = scale.find(([size]) => value >= size) ?? scale.at(-1);
    return `${by === 1 ? value : three(value / by)} ${unit}`;
  }
  const percent = (part, whole) => (whole > 0 ? `${three(100 * part / whole)} %` : "unknown");

  // Blue for a surely smaller share than before, red for a larger one; the root of a change makes small ones visible.
  function changed(now, node) {
    const by = now.changed[node] / 10000;
    const full = by > 0 ? [213, 72, 48] : [32, 108, 190];
    const share = Math.min(1, Math.sqrt(Math.abs(by) / 0.1));
    return `rgb(${full.map((to, i) => Math.round([226, 223, 217][i] + (to - [226, 223, 217][i]) * share)).join(" ")})`;
  }

  function draw() {
    const now = tree(), shape = layout(now), width = frame.clientWidth || 1000;
    const whole = now.total[state.zoom] || 1, from = shape.start[state.zoom];
    const boxes = document.createDocumentFragment();
    let deepest = 0;
    const shown = [];
    for (let node = 0; node < now.total.length; node += 1) {
      const above = shape.depth[node] < shape.depth[state.zoom] && inside(shape, now, state.zoom, node);
      if (!above && !(shape.depth[node] >= shape.depth[state.zoom] && inside(shape, now, node, state.zoom))) continue;
      const share = above ? 1 : now.total[node] / whole;
      if (share * width < NARROW) continue;
      deepest = Math.max(deepest, shape.depth[node]);
      shown.push([node, above, share]);
    }
    for (const [node, above, share] of shown) {
      const one = document.createElement("div");
      const [name, , fill, inlined] = named(now, node);
      one.className = `box${above ? " above" : ""}${inlined ? " inlined" : ""}`;
      one.classList.toggle("on-dark", !state.changes && dark[fill]);
      one.classList.toggle("found", node > 0 && state.pattern !== null && state.pattern.test(name));
      one.id = `box-${node}`;
      one.dataset.node = node;
      one.style.left = `${above ? 0 : 100 * (shape.start[node] - from) / whole}%`;
      one.style.width = `${100 * share}%`;
      one.style.top = `${ROW * (state.flipped ? deepest - shape.depth[node] : shape.depth[node])}px`;
      one.style.background = state.changes ? changed(now, node) : trees.fills[fill];
      if (share * width > 22) one.textContent = name;
      else one.classList.add("thin");
      boxes.append(one);
    }
    const sheet = document.createElement("div");
    sheet.style.height = `${ROW * (deepest + 1)}px`;
    sheet.classList.toggle("searching", state.pattern !== null);
    sheet.append(boxes);
    const place = state.flipped ? frame.scrollHeight - frame.scrollTop : frame.scrollTop;
    frame.replaceChildren(sheet);
    frame.scrollTop = state.flipped ? frame.scrollHeight - place : place;
    mark();
  }

  // Shows which box the keyboard is on. Boxes stay as they are: a click ends on the box it began on.
  function mark() {
    for (const one of frame.querySelectorAll(".box.at")) one.classList.remove("at");
    if (document.activeElement === frame) at(`box-${state.focus}`)?.classList.add("at");
    frame.setAttribute("aria-activedescendant", `box-${state.focus}`);
  }

  function tell(node) {
    const now = tree(), [name, origin, , inlined] = named(now, node), whole = now.total[0];
    const parts = [`${weight(now.total[node])}, ${percent(now.total[node], whole)}`];
    if (now.own[node] > 0 && now.own[node] < now.total[node]) parts.push(`itself ${percent(now.own[node], whole)}`);
    if (state.zoom > 0) parts.push(`${percent(now.total[node], now.total[state.zoom])} of the zoomed`);
    if (now.before.length > 0) parts.push(`before ${percent(now.before[node], now.before[0])}`);
    if (inlined) parts.push("inlined into its caller");
    const strong = document.createElement("b");
    strong.textContent = name;
    const rest = document.createElement("span");
    rest.className = "faint";
    rest.textContent = origin ? ` ${origin}` : "";
    details.replaceChildren(strong, ` ${parts.join(" · ")}`, rest);
  }

  // A match inside a match is counted once.
  function search(text) {
    state.pattern = null;
    if (text) {
      try { state.pattern = new RegExp(text, "i"); } catch {
        state.pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
      }
    }
    const now = tree();
    const covered = new Uint8Array(now.total.length);
    let sum = 0, count = 0;
    for (let node = 1; node < now.total.length && state.pattern; node += 1) {
      const hit = state.pattern.test(named(now, node)[0]);
      const within = covered[now.parent[node]] === 1;
      if (hit) count += 1;
      if (hit && !within) sum += now.total[node];
      covered[node] = hit || within ? 1 : 0;
    }
    found.textContent = state.pattern ? `${count} found, ${percent(sum, now.total[0])} of ${weight(now.total[0])}` : "";
    draw();
  }

  function zoom(node) { state.zoom = node; state.focus = node; draw(); tell(node); }

  // Another view or order: what was zoomed is not there.
  function show() {
    state.zoom = 0;
    state.focus = 0;
    const now = tree();
    for (const button of views.children) button.setAttribute("aria-pressed", String(button.dataset.id === state.view.id));
    reverse.setAttribute("aria-pressed", String(state.way === "callers"));
    flip.setAttribute("aria-pressed", String(state.flipped));
    change.hidden = now.before.length === 0;
    state.changes = state.changes && now.before.length > 0;
    change.setAttribute("aria-pressed", String(state.changes));
    const left = now.left_out > 0 ? ` · ${now.left_out.toLocaleString("en")} lighter branches left out` : "";
    const order = state.way === "callers" ? " · below each function who called it" : "";
    const gone = state.changes && now.gone > 0 ? ` · gone since before: ${percent(now.gone, now.before[0])}` : "";
    told.textContent = state.view.told + order + gone + left;
    const swatches = state.changes
      ? trees.changes
      : state.view.legend;
    legend.replaceChildren(...swatches.map(([fill, word]) => {
      const item = document.createElement("li"), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = fill;
      item.append(swatch, word);
      return item;
    }));
    details.textContent = "";
    search(box.value);
    if (state.flipped) frame.scrollTop = frame.scrollHeight;
  }

  // The heaviest child, the parent, or the neighbour on the same row.
  function step(way) {
    const now = tree(), shape = layout(now), node = state.focus;
    const same = (other) => shape.depth[other] === shape.depth[node] && inside(shape, now, other, state.zoom);
    const all = Array.from(now.total.keys());
    if (way === "out") return node > 0 ? now.parent[node] : 0;
    if (way === "in") return all.filter((other) => other > 0 && now.parent[other] === node).sort((a, b) => now.total[b] - now.total[a])[0] ?? node;
    const row = all.filter(same).sort((a, b) => shape.start[a] - shape.start[b]);
    return row[row.indexOf(node) + (way === "next" ? 1 : -1)] ?? node;
  }
  function focus(node) {
    state.focus = node;
    const { depth } = layout(tree());
    if (depth[node] < depth[state.zoom]) {
      state.zoom = node;
      draw();
    }
    mark();
    tell(node);
    at(`box-${node}`)?.scrollIntoView({ block: "nearest" });
  }
  const clear = () => { box.value = ""; show(); };
  const turn = () => { state.way = state.way === "callees" ? "callers" : "callees"; show(); };
  const upend = () => { state.flipped = !state.flipped; show(); };
  const compare = () => { state.changes = !state.changes; show(); };

  for (const view of trees.views) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = view.title;
    button.dataset.id = view.id;
    button.addEventListener("click", () => { state.view = view; show(); });
    views.append(button);
  }
  const nodeOf = (event) => { const one = event.target.closest?.(".box"); return one ? Number(one.dataset.node) : null; };
  frame.addEventListener("mouseover", (event) => { const node = nodeOf(event); if (node !== null) tell(node); });
  frame.addEventListener("click", (event) => { const node = nodeOf(event); if (node !== null) zoom(node); });
  frame.addEventListener("focus", mark);
  frame.addEventListener("blur", mark);
  reverse.addEventListener("click", turn);
  flip.addEventListener("click", upend);
  change.addEventListener("click", compare);
  reset.addEventListener("click", clear);
  box.addEventListener("input", () => search(box.value));
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") { clear(); frame.focus(); } });
  const keys = {
    ArrowDown: () => focus(step(state.flipped ? "out" : "in")), ArrowUp: () => focus(step(state.flipped ? "in" : "out")),
    ArrowRight: () => focus(step("next")), ArrowLeft: () => focus(step("previous")), Home: () => focus(0),
    Enter: () => zoom(state.focus), " ": () => zoom(state.focus), Escape: clear, r: turn, i: upend,
    d: () => { if (!change.hidden) compare(); },
  };
  frame.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); box.focus(); box.select(); }
  });
  at("flame").hidden = false;
  let width = frame.clientWidth;
  new ResizeObserver(() => { if (frame.clientWidth !== width) { width = frame.clientWidth; draw(); } }).observe(frame);
  show();
})();

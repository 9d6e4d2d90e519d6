"use strict";
(() => {
  const W = 1200, PAD = 12, CHAR = 6.62, NEST = "http://www.w3.org/2000/svg";
  const svg = document.documentElement;
  const frames = Array.from(document.querySelectorAll("#frames > g"), (g) => ({
    g, rect: g.querySelector("rect"), label: g.querySelector("text"),
    start: Number(g.getAttribute("data-a")), weight: Number(g.getAttribute("data-w")),
    depth: Number(g.getAttribute("data-d")), told: g.querySelector("title").textContent,
  }));
  const of = new Map(frames.map((frame) => [frame.g, frame]));
  const name = (frame) => frame.told.split("\n", 1)[0];
  const root = frames[0];
  const at = (id) => document.getElementById(id);
  const [details, found, reset, box, head] = ["details", "found", "reset", "search", "head"].map(at);
  let zoom = root, pattern = null;
  if (!root) return;

  const hold = (outer, inner) =>
    outer.start <= inner.start && outer.start + outer.weight >= inner.start + inner.weight;
  const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(part === whole ? 0 : 2) : "0") + " %";

  function write(frame, width) {
    const room = Math.floor((width - 6) / CHAR);
    const text = name(frame);
    if (room < 3) {
      if (frame.label) frame.label.textContent = "";
      return;
    }
    if (!frame.label) {
      frame.label = document.createElementNS(NEST, "text");
      frame.label.setAttribute("y", String(Number(frame.rect.getAttribute("y")) + 12.5));
      frame.g.appendChild(frame.label);
    }
    const letters = Array.from(text);
    frame.label.textContent = letters.length <= room ? text : letters.slice(0, room - 1).join("") + "…";
  }

  function draw() {
    const scale = (W - 2 * PAD) / zoom.weight;
    for (const frame of frames) {
      const above = frame.depth < zoom.depth && hold(frame, zoom);
      const inside = frame.depth >= zoom.depth && hold(zoom, frame);
      const width = above ? W - 2 * PAD : frame.weight * scale;
      const shown = (above || inside) && width >= 0.1;
      frame.g.style.display = shown ? "" : "none";
      if (!shown) continue;
      const x = above ? PAD : PAD + (frame.start - zoom.start) * scale;
      frame.rect.setAttribute("x", x.toFixed(2));
      frame.rect.setAttribute("width", Math.max(width - 0.4, 0.1).toFixed(2));
      frame.g.classList.toggle("above", above);
      write(frame, width);
      if (frame.label) frame.label.setAttribute("x", (x + 4).toFixed(2));
    }
    reset.style.display = zoom === root && !pattern ? "none" : "";
  }

  function search(text) {
    pattern = null;
    if (text) {
      try { pattern = new RegExp(text, "i"); } catch {
        pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
      }
    }
    let sum = 0, count = 0;
    const covered = [];
    for (const frame of frames) {
      const hit = pattern !== null && frame !== root && pattern.test(name(frame));
      frame.g.classList.toggle("found", hit);
      if (hit) { count += 1; covered.push(frame); }
    }
    // A matching frame inside a matching frame is counted once.
    covered.sort((a, b) => a.start - b.start || b.weight - a.weight);
    let end = -1;
    for (const frame of covered) {
      if (frame.start >= end) { sum += frame.weight; end = frame.start + frame.weight; }
    }
    found.textContent = pattern ? `${count} found, ${percent(sum, root.weight)}` : "";
    draw();
  }

  function tell(frame) {
    const lines = frame.told.split("\n");
    const zoomed = zoom === root ? "" : ` · ${percent(frame.weight, zoom.weight)} of the zoomed`;
    details.textContent = lines.join(" · ") + zoomed;
  }

  const frameOf = (event) => of.get(event.target.closest ? event.target.closest("#frames > g") : null);
  at("frames").addEventListener("mouseover", (event) => { const frame = frameOf(event); if (frame) tell(frame); });
  at("frames").addEventListener("mouseout", () => { details.textContent = ""; });
  at("frames").addEventListener("click", (event) => {
    const frame = frameOf(event);
    if (frame) { zoom = frame; draw(); tell(frame); }
  });
  reset.addEventListener("click", () => { zoom = root; box.value = ""; search(""); });
  box.addEventListener("input", () => search(box.value));
  window.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "f") { event.preventDefault(); box.focus(); box.select(); }
    else if (event.key === "/" && document.activeElement !== box) { event.preventDefault(); box.focus(); }
    else if (event.key === "Escape") { zoom = root; box.value = ""; box.blur(); search(""); }
  });
  at("find").style.display = "";
  // The head stays in sight; a tall picture opens at its outermost frame.
  const follow = () => {
    const scale = svg.getBoundingClientRect().width / W || 1;
    head.setAttribute("transform", `translate(0 ${Math.max(window.scrollY / scale, 0).toFixed(1)})`);
  };
  window.addEventListener("scroll", follow);
  window.addEventListener("resize", follow);
  draw();
  if (svg.getAttribute("data-root") === "bottom") window.scrollTo(0, svg.getBoundingClientRect().height);
  follow();
})();

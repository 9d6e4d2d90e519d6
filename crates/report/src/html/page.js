"use strict";
// What every page of slowpath can do: light and dark, copying commands, sorting and filtering tables, finding a row.
// Everything is written as text; nothing here asks the network or parses markup.
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));

  // Light or dark: the system's choice until the reader makes one. A page opened from a file may have no storage.
  const theme = document.getElementById("theme");
  const stored = () => { try { return localStorage.getItem("slowpath-theme"); } catch { return null; } };
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const paint = (choice) => {
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
    document.getElementById("theme-word").textContent = isDark() ? "Light" : "Dark";
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const choice = isDark() ? "light" : "dark";
    try { localStorage.setItem("slowpath-theme", choice); } catch { /* It holds until the page is closed. */ }
    paint(choice);
  });
  paint(stored());

  // Copying, also where the clipboard is not granted to files.
  const copied = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* The old way below. */ }
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button.copy");
    if (!button) return;
    const done = await copied(button.previousElementSibling.textContent);
    button.textContent = done ? "Copied" : "Select it";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });

  // Tables sort by a cell's key where it has one, by number where both are numbers, by text otherwise.
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell ? cell.dataset.key ?? cell.textContent.trim() : "";
  };
  const order = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a.localeCompare(b);
  };
  const sort = (table, head, column) => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [key(row, column), row]);
    rows.sort((a, b) => (up ? 1 : -1) * order(a[0], b[0]));
    body.append(...rows.map(([, row]) => row));
  };
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => sort(table, head, column));
      head.replaceChildren(button);
    });
  }

  // Causes by their state.
  for (const group of all(".filters")) {
    group.hidden = false;
    const rows = all("table.filterable tbody tr", group.parentElement);
    group.addEventListener("click", (event) => {
      const chosen = event.target.closest("button");
      if (!chosen) return;
      all("button", group).forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
      for (const row of rows) row.hidden = chosen.dataset.state !== "" && row.dataset.state !== chosen.dataset.state;
    });
  }

  // A link to a row opens what the row lies in.
  const reveal = () => {
    let at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const target = at;
    for (; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target?.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // Paper cannot be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open], .long)").filter((one) => all("tr, dt", one).length < 120);
    folded.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));

  // Where we are, in the contents.
  const links = new Map(all("#contents a").map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
    const first = all("main > section").find((section) => seen.has(section.id));
    for (const [id, link] of links) {
      if (first?.id === id) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-15% 0px -60% 0px" });
  all("main > section").forEach((section) => watcher.observe(section));
})();

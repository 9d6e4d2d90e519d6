'use strict';
// Spreads heat over a plate, with a short history of frames for the replay slider.

const SIDE = 190;
const KEEP = 14;

function mix(a, b, share) {
  return { heat: a.heat * (1 - share) + b.heat * share, flow: a.flow + Math.abs(a.heat - b.heat) * share };
}

function plate() {
  const cells = [];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const spot = (x - 60) ** 2 + (y - 90) ** 2 < 400 ? 900 : 20;
      cells.push({ heat: spot + ((x * 31 + y * 17) % 7), flow: 0 });
    }
  }
  return cells;
}

function neighbours(cells, x, y) {
  const out = [];
  if (x > 0) out.push(cells[y * SIDE + x - 1]);
  if (x < SIDE - 1) out.push(cells[y * SIDE + x + 1]);
  if (y > 0) out.push(cells[(y - 1) * SIDE + x]);
  if (y < SIDE - 1) out.push(cells[(y + 1) * SIDE + x]);
  return out;
}

function step(cells) {
  const next = [];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      let cell = { ...cells[y * SIDE + x] };
      for (const other of neighbours(cells, x, y)) cell = mix(cell, other, 0.1);
      next.push(cell);
    }
  }
  return next;
}

function summary(cells) {
  let heat = 0;
  let flow = 0;
  for (const cell of cells) {
    heat += cell.heat;
    flow += cell.flow;
  }
  return { heat, flow };
}

const heatAt = (frame, place) => frame[place].heat;

function palette(heat) {
  const level = Math.max(0, Math.min(255, Math.round(heat / 4)));
  return `#${level.toString(16).padStart(2, '0')}00${(255 - level).toString(16).padStart(2, '0')}`;
}

function strip(frame) {
  let text = '';
  for (let x = 0; x < SIDE; x++) text += palette(heatAt(frame, 90 * SIDE + x));
  return text;
}

function simulate(steps) {
  const history = [];
  let cells = plate();
  let drawn = 0;
  for (let n = 0; n < steps; n++) {
    cells = step(cells);
    history.push(cells);
    if (history.length > KEEP) history.shift();
    drawn += strip(cells).length;
  }
  return { cells, history, drawn };
}

const { cells, history, drawn } = simulate(Number(process.argv[2] || 10));
const { heat, flow } = summary(cells);
console.log('frames', history.length, 'heat', Math.round(heat), 'flow', Math.round(flow), 'drawn', drawn, 'middle', strip(cells).slice(210, 224));

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

function pack(cells) {
  return { heat: Float64Array.from(cells, (cell) => cell.heat), flow: Float64Array.from(cells, (cell) => cell.flow) };
}

function step(cells) {
  const packed = Array.isArray(cells) ? pack(cells) : cells;
  const next = { heat: new Float64Array(SIDE * SIDE), flow: new Float64Array(SIDE * SIDE) };
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const place = y * SIDE + x;
      let heat = packed.heat[place];
      let flow = packed.flow[place];
      for (let side = 0; side < 4; side++) {
        if (side === 0 ? x === 0 : side === 1 ? x === SIDE - 1 : side === 2 ? y === 0 : y === SIDE - 1) continue;
        const other = packed.heat[place + (side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -SIDE : SIDE)];
        flow += Math.abs(heat - other) * 0.1;
        heat = heat * (1 - 0.1) + other * 0.1;
      }
      next.heat[place] = heat;
      next.flow[place] = flow;
    }
  }
  return next;
}

function summary(cells) {
  let heat = 0;
  let flow = 0;
  for (let place = 0; place < SIDE * SIDE; place++) {
    heat += cells.heat[place];
    flow += cells.flow[place];
  }
  return { heat, flow };
}

const heatAt = (frame, place) => frame.heat[place];

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

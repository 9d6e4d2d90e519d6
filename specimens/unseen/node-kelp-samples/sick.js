// Counts cells in samples of kelp: the counting is done by worker threads beside the main one.
'use strict';

const { Worker, isMainThread, parentPort } = require('worker_threads');

const SIDE = 96;
const DESKS = 2;

function plate(seed) {
  const cells = new Uint8Array(SIDE * SIDE);
  let state = seed >>> 0;
  for (let place = 0; place < cells.length; place += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    cells[place] = (state >>> 16) % 5 < 2 ? 1 : 0;
  }
  return cells;
}

function flood(cells, start) {
  const stack = [start];
  let size = 0;
  cells[start] = 0;
  while (stack.length > 0) {
    const place = stack.pop();
    size += 1;
    const column = place % SIDE;
    if (column > 0 && cells[place - 1]) stack.push(place - 1);
    if (column < SIDE - 1 && cells[place + 1]) stack.push(place + 1);
    if (place >= SIDE && cells[place - SIDE]) stack.push(place - SIDE);
    if (place < cells.length - SIDE && cells[place + SIDE]) stack.push(place + SIDE);
    for (const next of stack) cells[next] = 0;
  }
  return size;
}

function count(seed) {
  const cells = plate(seed);
  let clumps = 0;
  let largest = 0;
  for (let place = 0; place < cells.length; place += 1) {
    if (!cells[place]) continue;
    clumps += 1;
    largest = Math.max(largest, flood(cells, place));
  }
  return { seed, clumps, largest };
}

function desk() {
  parentPort.on('message', (seed) => parentPort.postMessage(count(seed)));
}

class Laboratory {
  constructor() {
    this.started = 0;
  }

  examine(seed) {
    return new Promise((resolve, reject) => {
      const worker = new Worker(__filename);
      this.started += 1;
      worker.once('error', reject);
      worker.once('message', (result) => worker.terminate().then(() => resolve(result)));
      worker.postMessage(seed);
    });
  }

  async close() {}
}

class Diary {
  constructor() {
    this.clumps = 0;
    this.largest = 0;
    this.days = new Map();
  }

  note(day, result) {
    this.clumps += result.clumps;
    this.largest = Math.max(this.largest, result.largest);
    this.days.set(day, (this.days.get(day) || 0) + result.clumps);
  }

  trend() {
    let slope = 0;
    let before = null;
    for (const clumps of this.days.values()) {
      if (before !== null) slope += Math.sign(clumps - before);
      before = clumps;
    }
    return slope;
  }
}

async function main() {
  const samples = Number(process.argv[2] || 4);
  const laboratory = new Laboratory();
  const diary = new Diary();
  for (let first = 0; first < samples; first += DESKS) {
    const seeds = Array.from({ length: Math.min(DESKS, samples - first) }, (_, step) => first + step + 41);
    const results = await Promise.all(seeds.map((seed) => laboratory.examine(seed)));
    results.forEach((result) => diary.note(first % 14, result));
  }
  await laboratory.close();
  console.log(`${samples} samples, ${diary.clumps} clumps, largest ${diary.largest}, trend ${diary.trend()}`);
}

if (isMainThread) main();
else desk();

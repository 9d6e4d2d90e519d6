'use strict';
// Packs the measurements of a greenhouse, a file for each house, and sums them up on the way.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { createHash } = require('node:crypto');

const HOUSES = ['north', 'east', 'south', 'west'];

/** One file of measurements, line by line, through a stream. */
async function record(file, house, lines) {
  const out = fs.createWriteStream(file);
  let seed = house.length * 7919;
  let block = [];
  for (let n = 0; n < lines; n++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    block.push(`${house},${n},${(seed >>> 8) % 64},${(seed >>> 16) % 420}`);
    if (block.length === 2000) {
      if (!out.write(block.join('\n') + '\n')) await new Promise((resolve) => out.once('drain', resolve));
      block = [];
    }
  }
  out.end(block.length ? block.join('\n') + '\n' : '');
  await new Promise((resolve) => out.once('finish', resolve));
}

/** Looks at the lines that pass, and hands them on as they are. */
class Meter extends Transform {
  constructor() {
    super();
    this.rest = '';
    this.lines = 0;
    this.shelves = new Map();
  }

  _transform(chunk, encoding, done) {
    const lines = (this.rest + chunk.toString('latin1')).split('\n');
    this.rest = lines.pop();
    for (const line of lines) this.count(line);
    done(null, chunk);
  }

  count(line) {
    const last = line.lastIndexOf(',');
    const before = line.lastIndexOf(',', last - 1);
    const shelf = line.slice(before + 1, last);
    const entry = this.shelves.get(shelf);
    const value = Number(line.slice(last + 1));
    if (entry === undefined) this.shelves.set(shelf, { sum: value, times: 1 });
    else {
      entry.sum += value;
      entry.times++;
    }
    this.lines++;
  }

  warmest() {
    let best = null;
    for (const [shelf, { sum, times }] of this.shelves) {
      if (best === null || sum / times > best.mean) best = { shelf, mean: sum / times };
    }
    return best;
  }
}

async function pack(folder, house, lines) {
  const source = path.join(folder, `${house}.csv`);
  await record(source, house, lines);
  const meter = new Meter();
  await pipeline(fs.createReadStream(source), meter, zlib.createGzip({ level: 6 }), fs.createWriteStream(`${source}.gz`));
  return { house, meter, packed: fs.statSync(`${source}.gz`).size };
}

async function main() {
  const lines = Number(process.argv[2]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fern-'));
  try {
    const packs = await Promise.all(HOUSES.map((house) => pack(folder, house, lines)));
    const mark = createHash('sha256');
    let total = 0;
    for (const { house, meter, packed } of packs) {
      const { shelf, mean } = meter.warmest();
      total += meter.lines;
      mark.update(`${house}:${shelf}:${mean.toFixed(3)}:${packed > 0};`);
    }
    console.log(`${packs.length} houses, ${total} lines, ${mark.digest('hex').slice(0, 12)}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

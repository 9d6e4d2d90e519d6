'use strict';
// Exports the readings of electricity meters to a table and proves the file.

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 22695477) + 1) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

function* readings(count) {
  const draw = generator(50);
  const meters = new Array(400).fill(0);
  for (let number = 0; number < count; number += 1) {
    const meter = draw(meters.length);
    meters[meter] += draw(900);
    yield { meter, minute: number * 3, wattHours: meters[meter], estimated: draw(20) === 0 };
  }
}

function two(value) {
  return value < 10 ? `0${value}` : String(value);
}

function stamp(minute) {
  const date = new Date(Date.UTC(2023, 0, 1, 0, minute));
  return `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

class Ledger {
  constructor(file) {
    this.file = fs.openSync(file, 'w');
    this.rows = 0;
  }

  cell(text) {
    fs.writeSync(this.file, `${text};`);
  }

  row(values) {
    for (const value of values) this.cell(String(value));
    this.cell('\n');
    this.rows += 1;
  }

  close() {
    fs.closeSync(this.file);
  }
}

function exportTo(file, count) {
  const ledger = new Ledger(file);
  const last = new Map();
  for (const reading of readings(count)) {
    const used = reading.wattHours - (last.get(reading.meter) || 0);
    last.set(reading.meter, reading.wattHours);
    ledger.row([reading.meter, stamp(reading.minute), reading.wattHours, used, reading.estimated ? 'e' : 'r']);
  }
  ledger.close();
  return ledger.rows;
}

function proof(file) {
  const content = fs.readFileSync(file);
  let used = 0;
  for (const line of content.toString('latin1').split('\n')) {
    const cells = line.replace(/^;/, '').split(';');
    if (cells.length > 4) used += Number(cells[3]);
  }
  return { bytes: content.length, used, mark: crypto.createHash('md5').update(content).digest('hex') };
}

function main() {
  const count = Number(process.argv[2] || 60000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meters-'));
  try {
    const file = path.join(folder, 'readings.csv');
    const rows = exportTo(file, count);
    console.log('rows', rows, proof(file));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

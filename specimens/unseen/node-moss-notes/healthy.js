'use strict';
// Turns the field notes of botanists (fixed columns, as the old terminals wrote them) into a register.

const crypto = require('crypto');
const { EventEmitter } = require('events');
const { Readable } = require('stream');

const GENERA = ['Sphagnum', 'Bryum', 'Mnium', 'Grimmia', 'Dicranum', 'Hypnum', 'Tortula'];
const COLUMNS = [
  { name: 'genus', from: 0, to: 18 },
  { name: 'place', from: 18, to: 48 },
  { name: 'height', from: 48, to: 56 },
  { name: 'remark', from: 56, to: Infinity },
];

function* lines(count) {
  let state = 17;
  for (let number = 0; number < count; number++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const genus = GENERA[state % GENERA.length].padEnd(18);
    const place = `bog ${state % 311}, north bank`.padEnd(30);
    const height = String(state % 2400).padEnd(8);
    const gap = 300 + (state >>> 9) % 500;
    yield `${genus}${place}${height}seen by${' '.repeat(gap)}warden ${number % 40}${' '.repeat(gap >> 3)}`;
  }
}

class Cleaner {
  constructor() {
    this.steps = [];
  }

  use(step) {
    this.steps.push(step);
    return this;
  }

  apply(text) {
    return this.steps.reduce((value, step) => step(value), text);
  }
}

const cleaner = new Cleaner()
  .use((text) => text.replace(/\t/g, ' '))
  .use((text) => text.replace(/[\u00a0\u2007]/g, ' '))
  .use((text) => text.trimEnd())
  .use((text) => text.replace(/^\s+/, ''));

function split(line) {
  const record = {};
  for (const { name, from, to } of COLUMNS) record[name] = cleaner.apply(line.slice(from, to));
  return record;
}

class Register extends EventEmitter {
  constructor() {
    super();
    this.byGenus = new Map();
    this.hash = crypto.createHash('sha256');
  }

  add(record) {
    const found = this.byGenus.get(record.genus) || { count: 0, height: 0, wardens: new Set() };
    found.count += 1;
    found.height += Number(record.height);
    found.wardens.add(record.remark.slice(-9));
    this.byGenus.set(record.genus, found);
    this.hash.update(JSON.stringify(record));
    this.emit('added', record);
  }

  table() {
    return [...this.byGenus]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([genus, { count, height, wardens }]) => `${genus}:${count}:${(height / count).toFixed(2)}:${wardens.size}`)
      .join(' ');
  }
}

async function main() {
  const count = Number(process.argv[2] || 500);
  const register = new Register();
  let high = 0;
  register.on('added', (record) => {
    if (Number(record.height) > 2300) high += 1;
  });
  for await (const line of Readable.from(lines(count))) register.add(split(line));
  console.log(register.table());
  console.log('high', high, 'seal', register.hash.digest('hex').slice(0, 12));
}

main();

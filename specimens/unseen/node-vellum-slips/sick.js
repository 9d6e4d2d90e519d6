'use strict';
// Turns the fixed-width printouts of an old warehouse computer into rows and adds up the stock.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');

const KINDS = ['bolt', 'washer', 'hinge', 'bracket', 'spring', 'rivet'];

// The printer's form is very wide: the remark stands at the far right edge.
const FORM = { code: [0, 10], name: [10, 30], count: [30, 40], remarkAt: 3600 };

function makeLine(number, state) {
  const kind = KINDS[state % KINDS.length];
  const code = `W-${String(number).padStart(6, '0')}`;
  const left = code.padEnd(10) + `${kind} M${4 + (state % 9)}`.padEnd(20) + String(state % 5000).padEnd(10);
  const remark = state % 4 === 0 ? 'RECOUNT' : state % 4 === 1 ? 'OK' : `SHELF ${state % 77}`;
  return left.padEnd(FORM.remarkAt) + remark + ' '.repeat(state % 40);
}

function writePrintout(file, count) {
  const out = [];
  let state = 90210;
  for (let i = 0; i < count; i++) {
    state = (state * 16807) % 2147483647;
    out.push(makeLine(i, state));
    if (i % 60 === 59) out.push('\f');
  }
  fs.writeFileSync(file, out.join('\n'));
}

function isBreak(line) {
  return line.startsWith('\f');
}

function clean(line) {
  return line.replace(/\s+$/, '');
}

function cut(line, [begin, end]) {
  return line.slice(begin, end).trim();
}

function parse(line) {
  const name = cut(line, FORM.name);
  const found = /^([a-z]+) M(\d{1,2})$/.exec(name);
  if (!found) throw new Error(`unknown article ${name}`);
  return {
    code: cut(line, FORM.code),
    kind: found[1],
    size: Number(found[2]),
    count: Number(cut(line, FORM.count)),
    remark: line.slice(FORM.remarkAt),
  };
}

class Stock {
  constructor() {
    this.totals = new Map();
    this.recount = 0;
    this.width = 0;
    this.rows = 0;
  }

  add(row) {
    const key = `${row.kind}/${row.size}`;
    this.totals.set(key, (this.totals.get(key) || 0) + row.count);
    if (row.remark === 'RECOUNT') this.recount += 1;
    this.width += row.remark.length;
    this.rows += 1;
  }

  largest() {
    return [...this.totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
  }
}

async function load(file) {
  const stock = new Stock();
  const lines = readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
  for await (const raw of lines) {
    if (isBreak(raw)) continue;
    stock.add(parse(clean(raw)));
  }
  return stock;
}

async function main() {
  const count = Number(process.argv[2] || 160);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'printout-'));
  try {
    const file = path.join(folder, 'stock.prn');
    writePrintout(file, count);
    const stock = await load(file);
    const [key, most] = stock.largest();
    console.log(`${stock.rows} rows, ${stock.recount} to recount, ${stock.width} wide, most ${key}: ${most}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

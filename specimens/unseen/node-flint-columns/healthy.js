'use strict';
// Takes a wide export of a stock system apart: cleans each page, cuts it into columns and adds up by depot.

const crypto = require('crypto');
const { EventEmitter } = require('events');
const { Transform } = require('stream');
const { pipeline } = require('stream/promises');

const WIDTHS = { part: 12, depot: 10, remark: 640, count: 8, price: 10, marks: 0 };
const DEPOTS = ['north', 'south', 'quay', 'annex', 'yard'];

class Draw {
  constructor(seed) {
    this.state = seed;
  }

  next(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }

  pick(list) {
    return list[this.next(list.length)];
  }
}

function* pages(count, rows) {
  const draw = new Draw(17);
  const words = ['flint', 'slate', 'chert', 'opal', 'kept  dry', 'see note', 'recount'];
  for (let page = 0; page < count; page++) {
    const lines = [`PAGE ${String(page).padStart(6)}\f`];
    for (let row = 0; row < rows; row++) {
      const remark = Array.from({ length: draw.next(6) }, () => draw.pick(words)).join(' ');
      lines.push(
        `P${draw.next(99999)}`.padEnd(WIDTHS.part) +
          draw.pick(DEPOTS).padEnd(WIDTHS.depot) +
          remark.padEnd(WIDTHS.remark) +
          String(draw.next(500)).padStart(WIDTHS.count) +
          (draw.next(90000) / 100).toFixed(2).replace('.', ',').padStart(WIDTHS.price) +
          ' '.repeat(draw.next(40)),
      );
    }
    yield lines.join('\r\n') + '\r\n';
  }
}

class Cleaner {
  constructor() {
    this.rules = [
      [/\r\n?/g, '\n'],
      [/\f/g, ''],
      [/[\u2018\u2019]/g, "'"],
      [/(?<![ \t])[ \t]+$/gm, ''],
      [/(\d),(\d\d)$/gm, '$1.$2'],
      [/\n{3,}/g, '\n\n'],
    ];
  }

  tidy(text) {
    let result = text.normalize('NFC');
    for (const [pattern, replacement] of this.rules) {
      result = result.replace(pattern, replacement);
    }
    return result;
  }
}

class Columns {
  constructor(widths) {
    let start = 0;
    this.cuts = Object.entries(widths).map(([name, width]) => {
      const cut = { name, start, end: width ? start + width : undefined };
      start += width;
      return cut;
    });
  }

  split(line) {
    const row = {};
    for (const { name, start, end } of this.cuts) row[name] = line.slice(start, end).trim();
    return row;
  }
}

class Tally extends EventEmitter {
  constructor() {
    super();
    this.depots = new Map(DEPOTS.map((name) => [name, { pieces: 0, worth: 0 }]));
    this.hash = crypto.createHash('sha256');
    this.words = new Map();
  }

  add(row) {
    const entry = this.depots.get(row.depot);
    const pieces = Number(row.count);
    entry.pieces += pieces;
    entry.worth += Math.round(Number(row.price) * 100) * pieces;
    this.hash.update(`${row.part}|${row.remark.replace(/\s+/g, ' ')}|${row.count}\n`);
    for (const word of row.remark.split(/\s+/)) this.words.set(word, (this.words.get(word) ?? 0) + 1);
    if (entry.pieces % 10007 === 0) this.emit('round', row.depot);
  }
}

function cleaning(cleaner) {
  return new Transform({
    objectMode: true,
    transform(page, _, done) {
      done(null, cleaner.tidy(page));
    },
  });
}

async function main() {
  const count = Number(process.argv[2] ?? 3);
  const columns = new Columns(WIDTHS);
  const tally = new Tally();
  let rounds = 0;
  tally.on('round', () => rounds++);
  const pulse = setInterval(() => rounds === -1 && process.exit(1), 50);
  await pipeline(pages(count, 20), cleaning(new Cleaner()), async (source) => {
    for await (const page of source) {
      for (const line of page.split('\n').slice(1)) {
        if (line) tally.add(columns.split(line));
      }
    }
  });
  clearInterval(pulse);
  const parts = [...tally.depots].map(([name, { pieces, worth }]) => `${name}=${pieces}/${worth}`);
  console.log(parts.join(' '), tally.words.get('opal'), tally.hash.digest('hex').slice(0, 12));
}

main();

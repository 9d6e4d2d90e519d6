// Turns the excavation's find slips into one printable scroll per season.
'use strict';

const { createHash } = require('node:crypto');

const TRENCHES = ['north wall', 'kiln floor', 'well', 'granary', 'east gate', 'midden'];
const KINDS = ['sherd', 'bead', 'coin', 'tile', 'needle', 'weight', 'seal'];
const STATES = ['whole', 'cracked', 'burnt', 'worn'];

class Draw {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next(bound) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % bound;
  }
}

function slips(season, count) {
  const draw = new Draw(season * 7919 + 3);
  const out = [];
  for (let number = 0; number < count; number++) {
    out.push({
      number,
      trench: TRENCHES[draw.next(TRENCHES.length)],
      kind: KINDS[draw.next(KINDS.length)],
      state: STATES[draw.next(STATES.length)],
      depth: 20 + draw.next(380),
      grams: 1 + draw.next(900),
      remark: draw.next(4) === 0 ? `see slip ${draw.next(count)}` : '',
    });
  }
  return out;
}

// The printer wants every trench to start on a line of its own and no line above 78 characters.
class Scroll {
  constructor() {
    this.text = '';
    this.column = 0;
    this.lines = 0;
  }

  fresh() {
    if (this.text !== '' && !this.text.endsWith('\n')) {
      this.text += '\n';
      this.lines++;
    }
    this.column = 0;
  }

  put(piece) {
    if (this.column + piece.length > 78) {
      this.fresh();
    }
    this.text += piece;
    this.column += piece.length;
  }

  heading(words) {
    this.fresh();
    this.put(`== ${words} `);
    this.put('='.repeat(Math.max(0, 74 - words.length)));
    this.fresh();
  }

  finish() {
    this.fresh();
    return this.text;
  }
}

function depthBand(slip) {
  return Math.floor(slip.depth / 50) * 50;
}

function order(list) {
  return list.slice().sort((a, b) => a.depth - b.depth || a.number - b.number);
}

function byTrench(list) {
  const groups = new Map(TRENCHES.map((name) => [name, []]));
  for (const slip of list) {
    groups.get(slip.trench).push(slip);
  }
  return groups;
}

function describe(slip) {
  const remark = slip.remark === '' ? '' : `, ${slip.remark}`;
  return `${slip.number}: ${slip.state} ${slip.kind} at ${slip.depth} cm, ${slip.grams} g${remark}`;
}

function compose(list) {
  const scroll = new Scroll();
  for (const [trench, group] of byTrench(list)) {
    scroll.heading(trench);
    let band = -1;
    for (const slip of order(group)) {
      if (depthBand(slip) !== band) {
        band = depthBand(slip);
        scroll.fresh();
        scroll.put(`-- from ${band} cm --`);
      }
      scroll.fresh();
      scroll.put(describe(slip));
    }
  }
  return { text: scroll.finish(), lines: scroll.lines };
}

function totals(list) {
  const sums = {};
  for (const slip of list) {
    sums[slip.kind] = (sums[slip.kind] || 0) + slip.grams;
  }
  return KINDS.map((kind) => `${kind} ${sums[kind] || 0}`).join(', ');
}

function main() {
  const count = Number(process.argv[2] || 12000);
  const seal = createHash('sha256');
  let lines = 0;
  for (let season = 1; season <= 2; season++) {
    const list = slips(season, count);
    const done = compose(list);
    lines += done.lines;
    seal.update(done.text);
    seal.update(totals(list));
  }
  console.log(`slips ${count * 2} lines ${lines} seal ${seal.digest('hex').slice(0, 16)}`);
}

main();

'use strict';
// Reads the order book of a whistle maker and counts what is to be made in each key.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const crypto = require('node:crypto');

const KEYS = ['C', 'D', 'Eb', 'F', 'G', 'Bb'];

/** Writes a book of orders, as the shop would leave it at night. */
function writeBook(file, orders) {
  const lines = [];
  let state = 1843;
  for (let order = 0; order < orders; order++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    lines.push(`${order};${KEYS[(state >>> 8) % KEYS.length]};${1 + ((state >>> 16) % 12)};guest ${state % 5003}`);
  }
  fs.writeFileSync(file, lines.join('\n') + '\n');
}

class Book {
  constructor(file) {
    this.file = file;
    this.settings = { encoding: 'latin1', highWaterMark: 96 };
  }

  /** The orders of the book, one after the other. */
  async *orders() {
    let rest = '';
    for await (const piece of fs.createReadStream(this.file, this.settings)) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop();
      for (const line of lines) yield Book.order(line);
    }
    if (rest !== '') yield Book.order(rest);
  }

  static order(line) {
    const [number, key, pieces, guest] = line.split(';');
    return { number: Number(number), key, pieces: Number(pieces), guest };
  }
}

class Bench {
  constructor() {
    this.pieces = new Map(KEYS.map((key) => [key, 0]));
    this.guests = new Set();
    this.hash = crypto.createHash('md5');
  }

  take(order) {
    this.pieces.set(order.key, this.pieces.get(order.key) + order.pieces);
    this.guests.add(order.guest);
    this.hash.update(`${order.number}${this.bore(order)}`);
  }

  /** How wide the tube is bored, in hundredths. */
  bore(order) {
    let width = 1200 + KEYS.indexOf(order.key) * 70;
    for (let cut = 0; cut < 40; cut++) width = (width * 7 + order.pieces + cut) % 1999;
    return width;
  }

  report() {
    const keys = [...this.pieces].map(([key, pieces]) => `${key} ${pieces}`).join(', ');
    return `${keys}; ${this.guests.size} guests; ${this.hash.digest('hex').slice(0, 8)}`;
  }
}

async function main() {
  const orders = Number(process.argv[2] ?? 500);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'whistles-'));
  const file = path.join(folder, 'orders.csv');
  writeBook(file, orders);
  const bench = new Bench();
  for await (const order of new Book(file).orders()) bench.take(order);
  fs.rmSync(folder, { recursive: true });
  console.log(bench.report());
}

main();

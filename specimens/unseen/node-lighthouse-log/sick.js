// Keeps the book of a lighthouse: one entry for each ship that passes in a night.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Logbook {
  constructor(file) {
    this.file = file;
    this.fd = fs.openSync(file, 'w');
    this.entries = 0;
  }

  put(word) {
    fs.writeSync(this.fd, word);
  }

  entry(ship, bearing, weather) {
    this.put(ship);
    this.put(` bears ${bearing.toFixed(1)}`);
    this.put(` in ${weather}\n`);
    this.entries += 1;
  }

  seal() {
    fs.closeSync(this.fd);
    return crypto.createHash('sha1').update(fs.readFileSync(this.file)).digest('hex');
  }
}

function* passing(count) {
  const kinds = ['brig', 'sloop', 'ketch', 'yawl', 'trawler'];
  let state = 42;
  for (let number = 0; number < count; number += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield { name: `${kinds[state % 5]}-${number % 700}`, course: (state >>> 8) % 360, far: (state >>> 4) % 30 };
  }
}

function bearing(ship) {
  const angle = (ship.course * Math.PI) / 180;
  let turn = 0;
  for (let sweep = 1; sweep <= 12; sweep += 1) turn += Math.sin(angle * sweep) / sweep;
  return Math.abs(turn * 90 + ship.far) % 360;
}

function weather(hour) {
  return ['clear', 'haze', 'rain', 'fog'][Math.floor(hour / 7) % 4];
}

function watch(book, count) {
  let hour = 0;
  for (const ship of passing(count)) {
    book.entry(ship.name, bearing(ship), weather(hour));
    hour += 1;
  }
}

function main() {
  const count = Number(process.argv[2] || 1000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'light-'));
  const book = new Logbook(path.join(folder, 'book.txt'));
  watch(book, count);
  const seal = book.seal();
  fs.rmSync(folder, { recursive: true });
  console.log(`${book.entries} entries, seal ${seal}`);
}

main();

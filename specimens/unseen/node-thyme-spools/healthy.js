'use strict';
// Sorts a harvest book which is taken to be larger than memory: sorted spools on disk, then one merge over all of them.

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

const HERBS = ['thyme', 'sage', 'rue', 'mint', 'dill', 'lovage', 'savory', 'borage'];
const PIECE = 256 * 1024;

class SpoolWriter {
  constructor(file) {
    this.handle = fs.openSync(file, 'w');
    this.lines = [];
    this.size = 0;
  }

  write(line) {
    this.lines.push(line);
    this.size += line.length + 1;
    if (this.size >= PIECE) this.flush();
  }

  flush() {
    if (this.lines.length === 0) return;
    fs.writeSync(this.handle, this.lines.join('\n') + '\n', null, 'latin1');
    this.lines = [];
    this.size = 0;
  }

  close() {
    this.flush();
    fs.closeSync(this.handle);
  }
}

class SpoolReader {
  constructor(file) {
    this.handle = fs.openSync(file, 'r');
    this.buffer = Buffer.allocUnsafe(PIECE);
    this.rest = '';
    this.lines = [];
    this.at = 0;
  }

  next() {
    while (this.at === this.lines.length) {
      const size = fs.readSync(this.handle, this.buffer, 0, PIECE, null);
      if (size === 0) {
        fs.closeSync(this.handle);
        return null;
      }
      const lines = (this.rest + this.buffer.latin1Slice(0, size)).split('\n');
      this.rest = lines.pop();
      this.lines = lines;
      this.at = 0;
    }
    return this.lines[this.at++];
  }
}

/** The smallest line of all spools is on top. */
class Heap {
  constructor() {
    this.items = [];
  }

  add(item) {
    const { items } = this;
    let place = items.length;
    items.push(item);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (items[parent].line <= item.line) break;
      items[place] = items[parent];
      place = parent;
    }
    items[place] = item;
  }

  get top() {
    return this.items[0];
  }

  dropTop() {
    const last = this.items.pop();
    if (this.items.length > 0) {
      this.items[0] = last;
      this.settle();
    }
  }

  settle() {
    const { items } = this;
    const item = items[0];
    const half = items.length >> 1;
    let place = 0;
    while (place < half) {
      let child = 2 * place + 1;
      if (child + 1 < items.length && items[child + 1].line < items[child].line) child++;
      if (items[child].line >= item.line) break;
      items[place] = items[child];
      place = child;
    }
    items[place] = item;
  }
}

function* harvest(count) {
  let seed = 99;
  for (let number = 0; number < count; number++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const plot = ((seed >>> 5) % 1000000).toString(36).padStart(5, '0');
    yield `${plot}${(number % 46656).toString(36)}\t${HERBS[(seed >>> 13) % 8]}\t${(seed >>> 9) % 5000}`;
  }
}

function* chunks(source, size) {
  let chunk = [];
  for (const item of source) {
    chunk.push(item);
    if (chunk.length === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length) yield chunk;
}

function spool(folder, count) {
  const files = [];
  for (const chunk of chunks(harvest(count), 25000)) {
    const file = path.join(folder, `spool-${files.length}`);
    chunk.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const writer = new SpoolWriter(file);
    for (const line of chunk) writer.write(line);
    writer.close();
    files.push(file);
  }
  return files;
}

function merge(files, target) {
  const heap = new Heap();
  for (const file of files) {
    const reader = new SpoolReader(file);
    const line = reader.next();
    if (line !== null) heap.add({ line, reader });
  }
  const writer = new SpoolWriter(target);
  while (heap.items.length > 0) {
    const { top } = heap;
    writer.write(top.line);
    const line = top.reader.next();
    if (line === null) heap.dropTop();
    else {
      top.line = line;
      heap.settle();
    }
  }
  writer.close();
}

async function summary(file) {
  const hash = crypto.createHash('sha1');
  let bytes = 0;
  for await (const piece of fs.createReadStream(file, { highWaterMark: PIECE })) {
    hash.update(piece);
    bytes += piece.length;
  }
  return `${bytes} ${hash.digest('hex').slice(0, 16)}`;
}

async function main() {
  const count = Number(process.argv[2] ?? 20000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'spools-'));
  try {
    const files = spool(folder, count);
    const target = path.join(folder, 'book');
    merge(files, target);
    console.log(files.length, files.every((file) => fs.statSync(file).size > 0), await summary(target));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

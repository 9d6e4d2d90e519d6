'use strict';
// Broker intake: frames arrive in pieces from the spool and are put together, checked and routed.
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');

const TOPICS = ['scans/raw', 'firmware', 'telemetry', 'backups/daily'];
const PIECE = 8 * 1024;

function frameBody(size, seed) {
  const body = Buffer.alloc(size);
  let state = seed | 1;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1103515245) + 12345) | 0;
    body.writeInt32LE(state, at);
  }
  return body;
}

function writeSpool(file, frames, size) {
  const fd = fs.openSync(file, 'w');
  for (let number = 0; number < frames; number++) {
    const body = frameBody(size - (number % 5) * 1000, 77 + number);
    const head = Buffer.alloc(12);
    head.writeUInt32BE(0xfeedc0de, 0);
    head.writeUInt32BE(body.length, 4);
    head.writeUInt32BE(number % TOPICS.length, 8);
    fs.writeSync(fd, head);
    fs.writeSync(fd, body);
  }
  fs.closeSync(fd);
}

function* piecesOf(file) {
  const fd = fs.openSync(file, 'r');
  const stage = Buffer.alloc(PIECE);
  for (;;) {
    const got = fs.readSync(fd, stage, 0, PIECE, null);
    if (got === 0) break;
    yield Buffer.from(stage.subarray(0, got));
  }
  fs.closeSync(fd);
}

class Assembler {
  constructor(deliver) {
    this.deliver = deliver;
    this.held = Buffer.alloc(0);
    this.wanted = 12;
    this.topic = -1;
  }

  push(piece) {
    this.held = Buffer.concat([this.held, piece]);
    while (this.held.length >= this.wanted) this.advance();
  }

  advance() {
    const unit = this.held.subarray(0, this.wanted);
    this.held = this.held.subarray(this.wanted);
    if (this.topic < 0) {
      if (unit.readUInt32BE(0) !== 0xfeedc0de) throw new Error('lost the frame border');
      this.wanted = unit.readUInt32BE(4);
      this.topic = unit.readUInt32BE(8);
    } else {
      this.deliver(TOPICS[this.topic], unit);
      this.wanted = 12;
      this.topic = -1;
    }
  }
}

function adler(body) {
  let a = 1;
  let b = 0;
  for (let at = 0; at < body.length; at++) {
    a += body[at];
    b += a;
    if ((at & 1023) === 1023) {
      a %= 65521;
      b %= 65521;
    }
  }
  return (((b % 65521) << 16) | (a % 65521)) >>> 0;
}

class Router {
  constructor() {
    this.topics = new Map();
    this.frames = 0;
    this.seal = 0;
  }

  accept(topic, body) {
    const seen = this.topics.get(topic) || { frames: 0, bytes: 0 };
    seen.frames += 1;
    seen.bytes += body.length;
    this.topics.set(topic, seen);
    this.frames += 1;
    const head = zlib.deflateSync(body.subarray(0, 4096), { level: 1 });
    this.seal = (Math.imul(this.seal, 33) + adler(body) + head.length) >>> 0;
  }
}

function main() {
  const frames = Number(process.argv[2]);
  const size = Number(process.argv[3]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'intake-'));
  try {
    const file = path.join(folder, 'spool.bin');
    writeSpool(file, frames, size);
    const router = new Router();
    const assembler = new Assembler((topic, body) => router.accept(topic, body));
    for (const piece of piecesOf(file)) assembler.push(piece);
    const busiest = [...router.topics].sort((x, y) => y[1].bytes - x[1].bytes)[0];
    console.log(`frames=${router.frames} busiest=${busiest[0]} seal=${router.seal.toString(16)}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

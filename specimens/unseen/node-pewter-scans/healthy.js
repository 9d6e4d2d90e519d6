'use strict';
// Takes in scanned plates which an office scanner sends over a socket, and files their marks.
const net = require('node:net');
const { createHash } = require('node:crypto');
const { Worker, isMainThread, workerData } = require('node:worker_threads');

const HEADER = 16;

/** The scanner: sends plates with a header each, one after the other. */
function scanner({ port, plates, bytes }) {
  const socket = net.connect(port, '127.0.0.1');
  const strip = Buffer.alloc(32 * 1024);
  for (let i = 0; i < strip.length; i++) strip[i] = (i * 31 + (i >> 7)) & 0xff;
  const send = (piece) => new Promise((resolve) => socket.write(piece, resolve));
  (async () => {
    for (let plate = 0; plate < plates; plate++) {
      const header = Buffer.alloc(HEADER);
      header.writeUInt32BE(0x504c4154, 0);
      header.writeUInt32BE(plate, 4);
      header.writeUInt32BE(bytes, 8);
      await send(header);
      for (let sent = 0; sent < bytes; sent += strip.length) {
        await send(strip.subarray(0, Math.min(strip.length, bytes - sent)));
      }
    }
    socket.end();
  })();
}

/** Puts the plates together from what arrives. */
class Intake {
  constructor(onPlate) {
    this.onPlate = onPlate;
    this.pending = Buffer.alloc(0);
    this.later = [];
    this.held = 0;
    this.wanted = HEADER;
  }

  push(chunk) {
    this.later.push(chunk);
    this.held += chunk.length;
    if (this.held < this.wanted) return;
    this.pending = Buffer.concat(this.later);
    this.drain();
    this.later = [this.pending];
    this.held = this.pending.length;
  }

  drain() {
    this.wanted = HEADER;
    while (this.pending.length >= HEADER) {
      const size = HEADER + this.pending.readUInt32BE(8);
      this.wanted = size;
      if (this.pending.length < size) return;
      this.onPlate(this.pending.readUInt32BE(4), this.pending.subarray(HEADER, size));
      this.pending = this.pending.subarray(size);
      this.wanted = HEADER;
    }
  }
}

/** Mean brightness of a plate, from a sparse raster. */
function brightness(plate) {
  let sum = 0;
  let points = 0;
  for (let at = 0; at < plate.length; at += 64) {
    sum += plate[at];
    points++;
  }
  return Math.round(sum / points);
}

function register() {
  const marks = [];
  let light = 0;
  return {
    file(number, plate) {
      light += brightness(plate);
      marks.push(`${number}:${createHash('sha1').update(plate).digest('hex')}`);
    },
    summary() {
      const all = createHash('sha1').update(marks.join('\n')).digest('hex').slice(0, 12);
      return `${marks.length} plates, light ${light}, ${all}`;
    },
  };
}

function main() {
  const plates = Number(process.argv[2]);
  const bytes = Number(process.argv[3]) * 1024 * 1024;
  const book = register();
  const intake = new Intake((number, plate) => book.file(number, plate));
  const server = net.createServer((socket) => {
    socket.on('data', (chunk) => intake.push(chunk));
    socket.on('end', () => {
      server.close();
      console.log(book.summary());
    });
  });
  server.listen(0, '127.0.0.1', () => {
    new Worker(__filename, { workerData: { port: server.address().port, plates, bytes } });
  });
}

if (isMainThread) main();
else scanner(workerData);

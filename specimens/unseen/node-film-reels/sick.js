// Copies film reels from a projector: a reel comes over the wire, is checked, and its frames are listed.
'use strict';

const net = require('net');
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');

const HEAD = 12;
const FRAME = 4096;

function reelBytes(number, frames) {
  const reel = Buffer.alloc(HEAD + frames * FRAME);
  reel.write('REEL', 0, 'latin1');
  reel.writeUInt32BE(number, 4);
  reel.writeUInt32BE(frames, 8);
  for (let frame = 0; frame < frames; frame += 1) {
    const start = HEAD + frame * FRAME;
    reel.fill((number * 31 + frame * 7) & 255, start, start + FRAME);
    reel.writeUInt32BE(frame, start);
  }
  return reel;
}

// The projector: sends the reel that is asked for, a few frames at a time.
function projector() {
  const server = net.createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('data', (text) => {
      const reel = reelBytes(text.readUInt32BE(0), workerData.frames);
      for (let start = 0; start < reel.length; start += 16 * FRAME) socket.write(reel.subarray(start, start + 16 * FRAME));
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

class Copier {
  constructor(port) {
    this.socket = net.connect(port, '127.0.0.1');
    this.held = Buffer.alloc(0);
    this.size = 0;
    this.done = null;
    this.socket.on('data', (piece) => this.take(piece));
  }

  take(piece) {
    this.held = Buffer.concat([this.held, piece]);
    if (this.size === 0 && this.held.length >= HEAD) this.size = HEAD + this.held.readUInt32BE(8) * FRAME;
    if (this.size > 0 && this.held.length >= this.size) this.finish();
  }

  finish() {
    const reel = this.held;
    this.held = Buffer.alloc(0);
    this.size = 0;
    this.done(reel);
  }

  reel(number) {
    const order = Buffer.alloc(4);
    order.writeUInt32BE(number, 0);
    return new Promise((resolve) => {
      this.done = resolve;
      this.socket.write(order);
    });
  }

  close() {
    this.socket.destroy();
  }
}

function frameList(reel) {
  const list = [];
  for (let start = HEAD; start < reel.length; start += FRAME) {
    list.push({ frame: reel.readUInt32BE(start), grey: reel[start + 8] });
  }
  return list;
}

function seal(list) {
  let sum = 7;
  for (const { frame, grey } of list) sum = (Math.imul(sum, 31) + frame * 3 + grey) >>> 0;
  return sum;
}

// Where the light changes most from one frame to the next.
function cuts(list) {
  let count = 0;
  for (let place = 1; place < list.length; place += 1) {
    if (Math.abs(list[place].grey - list[place - 1].grey) > 100) count += 1;
  }
  return count;
}

async function main() {
  const reels = Number(process.argv[2] || 1);
  const worker = new Worker(__filename, { workerData: { frames: 3000 } });
  const port = await new Promise((resolve) => worker.once('message', resolve));
  const copier = new Copier(port);
  let seals = 0;
  let changes = 0;
  for (let number = 0; number < reels; number += 1) {
    const list = frameList(await copier.reel(number));
    seals = (seals + seal(list)) >>> 0;
    changes += cuts(list);
  }
  copier.close();
  await worker.terminate();
  console.log(`${reels} reels, ${changes} cuts, seal ${seals}`);
}

if (isMainThread) main();
else projector();

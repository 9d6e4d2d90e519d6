'use strict';
// Takes in survey images from a ship over a socket: each one is framed by a length and checked when it is complete.

const net = require('net');
const zlib = require('zlib');
const { EventEmitter } = require('events');

const HEAD = 8;

function makeImage(number, size) {
  const image = Buffer.allocUnsafe(size);
  let state = number * 2654435761 + 97;
  for (let at = 0; at + 4 <= size; at += 4096) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    image.fill(state & 255, at, Math.min(size, at + 4096));
    image.writeUInt32LE(state, at);
  }
  return image;
}

class Ship {
  constructor(images, size) {
    this.images = images;
    this.size = size;
    this.server = net.createServer((socket) => this.send(socket));
  }

  listen() {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(this.server.address().port)));
  }

  send(socket) {
    for (let number = 1; number <= this.images; number++) {
      const head = Buffer.alloc(HEAD);
      head.writeUInt32BE(number, 0);
      head.writeUInt32BE(this.size, 4);
      socket.write(head);
      socket.write(makeImage(number, this.size));
    }
    socket.end();
  }

  close() {
    this.server.close();
  }
}

class Receiver extends EventEmitter {
  constructor(socket) {
    super();
    this.parts = [];
    this.size = 0;
    this.wanted = HEAD;
    this.packets = 0;
    socket.on('data', (packet) => this.take(packet));
    socket.on('end', () => this.emit('done'));
  }

  take(packet) {
    this.packets += 1;
    this.parts.push(packet);
    this.size += packet.length;
    while (this.complete()) {
      const held = this.join();
      const end = HEAD + held.readUInt32BE(4);
      this.wanted = end;
      if (held.length >= end) {
        this.emit('image', held.readUInt32BE(0), held.subarray(HEAD, end));
        this.parts = [held.subarray(end)];
        this.size = held.length - end;
        this.wanted = HEAD;
      }
    }
  }

  join() {
    const held = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts, this.size);
    this.parts = [held];
    return held;
  }

  complete() {
    return this.size >= this.wanted;
  }
}

class Survey {
  constructor() {
    this.images = 0;
    this.bytes = 0;
    this.depth = 0;
    this.packed = 0;
  }

  add(number, image) {
    this.images += 1;
    this.bytes += image.length;
    this.depth = (this.depth * 31 + this.soundings(image)) % 1000003;
    this.packed += this.preview(number, image);
  }

  soundings(image) {
    let sum = 0;
    for (let at = 0; at < image.length; at += 16) {
      sum = (sum + image[at] * ((at >> 4) & 15)) | 0;
    }
    return sum >>> 0;
  }

  preview(number, image) {
    return zlib.deflateSync(image.subarray(0, 262144), { level: 6 }).length + number;
  }
}

async function main() {
  const megabytes = Number(process.argv[2] || 4);
  const ship = new Ship(2, megabytes << 20);
  const port = await ship.listen();
  const survey = new Survey();
  const receiver = new Receiver(net.connect(port, '127.0.0.1'));
  receiver.on('image', (number, image) => survey.add(number, image));
  await new Promise((resolve) => receiver.on('done', resolve));
  ship.close();
  console.log(`images ${survey.images} bytes ${survey.bytes} depth ${survey.depth} packed ${survey.packed}`);
}

main();

// Renews the water permits of the mills: looks up each mill's gauge at the river board and books it in the register.
'use strict';

const net = require('node:net');
const { createHash } = require('node:crypto');

class Draw {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next(bound) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % bound;
  }
}

// The river board: one line asks for a gauge, the answer comes when the gauge has been read.
function openBoard() {
  const server = net.createServer((link) => {
    link.setNoDelay(true);
    let rest = '';
    link.setEncoding('utf8');
    link.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const [ticket, gauge] = line.split(' ').map(Number);
        const draw = new Draw(gauge * 31 + 5);
        setTimeout(() => link.write(`${ticket} ${200 + draw.next(900)}\n`), 5 + (gauge % 4));
      }
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

class River {
  constructor(link) {
    this.link = link;
    this.open = new Map();
    this.tickets = 0;
    let rest = '';
    link.setNoDelay(true);
    link.setEncoding('utf8');
    link.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const [ticket, level] = line.split(' ').map(Number);
        this.open.get(ticket)(level);
        this.open.delete(ticket);
      }
    });
  }

  level(gauge) {
    const ticket = this.tickets++;
    return new Promise((resolve) => {
      this.open.set(ticket, resolve);
      this.link.write(`${ticket} ${gauge}\n`);
    });
  }
}

function connect(port) {
  return new Promise((resolve, reject) => {
    const link = net.connect(port, '127.0.0.1', () => resolve(new River(link)));
    link.once('error', reject);
  });
}

class Key {
  constructor() {
    this.tail = Promise.resolve();
  }

  async hold(work) {
    const before = this.tail;
    let release;
    this.tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      return await work();
    } finally {
      release();
    }
  }
}

// The register counts the litres that a river has given away; two bookings must never mix.
class Register {
  constructor(river) {
    this.river = river;
    this.key = new Key();
    this.given = new Map();
    this.pages = [];
  }

  async settle() {
    await null;
  }

  async renew(mill) {
    return this.key.hold(async () => {
      const level = await this.river.level(mill.gauge);
      const before = this.given.get(mill.stream) || 0;
      await this.settle();
      const litres = Math.min(mill.wish, level);
      this.given.set(mill.stream, before + litres);
      this.pages.push(`${mill.name} ${litres}`);
      return litres;
    });
  }
}

function mills(count) {
  const draw = new Draw(1086);
  return Array.from({ length: count }, (_, number) => ({
    name: `mill ${number}`,
    gauge: draw.next(400),
    stream: `stream ${draw.next(9)}`,
    wish: 100 + draw.next(800),
  }));
}

// A dozen wardens share the round.
async function round(register, list, wardens) {
  let next = 0;
  const litres = new Array(list.length);
  const walk = async () => {
    while (next < list.length) {
      const at = next++;
      litres[at] = await register.renew(list[at]);
    }
  };
  await Promise.all(Array.from({ length: wardens }, walk));
  return litres;
}

async function main() {
  const count = Number(process.argv[2] || 220);
  const server = await openBoard();
  const river = await connect(server.address().port);
  const register = new Register(river);
  const litres = await round(register, mills(count), 12);
  river.link.end();
  server.close();

  const seal = createHash('sha256');
  register.pages.sort();
  seal.update(register.pages.join('\n'));
  for (const stream of [...register.given.keys()].sort()) {
    seal.update(`${stream} ${register.given.get(stream)}`);
  }
  const sum = litres.reduce((total, one) => total + one, 0);
  console.log(`mills ${count} litres ${sum} seal ${seal.digest('hex').slice(0, 16)}`);
}

main();

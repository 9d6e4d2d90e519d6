'use strict';
// Prices freight orders against a tariff book; a worker thread does the pricing while this one reads orders.

const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const crypto = require('node:crypto');

const ZONES = 60;

function makeBook(zones) {
  const lanes = [];
  for (let from = 0; from < zones; from++) {
    for (let to = 0; to < zones; to++) {
      lanes.push({
        key: `Z${from}-Z${to}`,
        base: 400 + ((from * 31 + to * 17) % 900),
        steps: [5, 20, 100].map((limit, i) => ({ limit, rate: 12 - i * 3 + ((from + to) % 4) })),
        notes: { ferry: (from * to) % 11 === 0, season: (from + to) % 3 },
      });
    }
  }
  return { issued: '2024-03-01', currency: 'EUR', lanes };
}

function* readOrders(count) {
  let state = 4711;
  for (let i = 0; i < count; i++) {
    state = (state * 48271) % 2147483647;
    yield { id: i, from: state % ZONES, to: (state >> 8) % ZONES, weight: 1 + ((state >> 4) % 300) };
  }
}

function* inBatches(orders, size) {
  let batch = [];
  for (const order of orders) {
    batch.push(order);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

// --- the worker's side ---

function laneOf(book, from, to) {
  return book.lanes[from * ZONES + to];
}

function priceOf(lane, weight) {
  let cents = lane.base;
  let done = 0;
  for (const step of lane.steps) {
    const part = Math.max(0, Math.min(weight, step.limit) - done);
    cents += part * step.rate * 10;
    done += part;
  }
  cents += (weight - done) * 30;
  if (lane.notes.ferry) cents += 2500;
  return Math.round(cents * (1 + lane.notes.season / 20));
}

function seal(id, cents) {
  return crypto.createHash('sha1').update(`${id}:${cents}`).digest('hex').slice(0, 8);
}

function priceBatch(book, batch) {
  return batch.map((order) => {
    const cents = priceOf(laneOf(book, order.from, order.to), order.weight);
    return { id: order.id, cents, seal: seal(order.id, cents) };
  });
}

function serve() {
  parentPort.on('message', (message) => {
    parentPort.postMessage(priceBatch(message.book, message.batch));
  });
}

// --- the reader's side ---

class Pricer {
  constructor(book) {
    this.book = book;
    this.worker = new Worker(__filename);
    this.waiting = [];
    this.worker.on('message', (quotes) => this.waiting.shift()(quotes));
  }

  price(batch) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.worker.postMessage({ book: this.book, batch });
    });
  }

  close() {
    return this.worker.terminate();
  }
}

async function main() {
  const count = Number(process.argv[2] || 6000);
  const pricer = new Pricer(makeBook(ZONES));
  const digest = crypto.createHash('sha256');
  let total = 0;
  let quoted = 0;
  for (const batch of inBatches(readOrders(count), 50)) {
    for (const quote of await pricer.price(batch)) {
      total += quote.cents;
      quoted += 1;
      digest.update(quote.seal);
    }
  }
  await pricer.close();
  console.log(`${quoted} quotes, ${total} cents, ${digest.digest('hex').slice(0, 12)}`);
}

if (isMainThread) main();
else serve();

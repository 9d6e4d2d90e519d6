'use strict';
// Checkout of a web shop: prices all baskets of the last minute with the price service of the house.

const crypto = require('node:crypto');
const http = require('node:http');

const GATHER_MS = 6;

class PriceService {
  constructor() {
    this.requests = 0;
    this.server = http.createServer((request, response) => this.answer(request, response));
  }

  listen() {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => resolve(this.server.address().port));
    });
  }

  answer(request, response) {
    this.requests += 1;
    const skus = new URL(request.url, 'http://prices').searchParams.get('skus').split(',');
    const prices = skus.map((sku) => ({ sku, cents: 199 + (Number(sku.slice(1)) * 7919) % 8800 }));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(prices));
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

class PriceClient {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  }

  fetch(skus) {
    const path = `/prices?skus=${skus.join(',')}`;
    return new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port: this.port, agent: this.agent, path }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
        response.on('error', reject);
      });
      request.on('error', reject);
    });
  }

  close() {
    this.agent.destroy();
  }
}

/** Gathers the articles which are wanted at about the same time into one question. */
class PriceLoader {
  constructor(client) {
    this.client = client;
    this.waiting = new Map();
    this.timer = null;
  }

  load(sku) {
    return new Promise((resolve, reject) => {
      const waiters = this.waiting.get(sku) ?? [];
      waiters.push({ resolve, reject });
      this.waiting.set(sku, waiters);
      this.timer ??= setTimeout(() => this.dispatch(), GATHER_MS);
    });
  }

  async dispatch() {
    const waiting = this.waiting;
    this.waiting = new Map();
    this.timer = null;
    try {
      for (const { sku, cents } of await this.client.fetch([...waiting.keys()])) {
        for (const { resolve } of waiting.get(sku)) resolve(cents);
      }
    } catch (error) {
      for (const waiters of waiting.values()) {
        for (const { reject } of waiters) reject(error);
      }
    }
  }
}

const discounts = [
  (line, cents) => (line.pieces >= 5 ? Math.round(cents * 0.95) : cents),
  (line, cents) => (line.sku.endsWith('0') ? cents - 10 : cents),
  (line, cents) => (line.gift ? cents + 250 : cents),
];

class Checkout {
  constructor(loader) {
    this.loader = loader;
  }

  async priceLine(line) {
    const cents = await this.loader.load(line.sku);
    return discounts.reduce((sum, discount) => discount(line, sum), cents * line.pieces);
  }

  async total(basket) {
    const priced = [];
    for (const line of basket.lines) {
      priced.push({ ...line, cents: await this.priceLine(line) });
    }
    const goods = priced.reduce((sum, line) => sum + line.cents, 0);
    const freight = goods > 15000 ? 0 : 590;
    return { number: basket.number, lines: priced, cents: goods + freight };
  }
}

function* baskets(count) {
  let state = 77;
  const roll = (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  for (let number = 0; number < count; number += 1) {
    const lines = [];
    for (let n = 0; n < 6 + (number % 5); n += 1) {
      lines.push({ sku: `K${1000 + roll(9000)}`, pieces: 1 + roll(7), gift: roll(9) === 0 });
    }
    yield { number, lines };
  }
}

function receipt(total) {
  const rows = total.lines.map((line) => `${line.sku.padEnd(8)}${String(line.pieces).padStart(3)}${String(line.cents).padStart(9)}`);
  return `basket ${total.number}\n${rows.join('\n')}\n${String(total.cents).padStart(20)}\n`;
}

async function main() {
  const count = Number(process.argv[2] ?? 26);
  const service = new PriceService();
  const client = new PriceClient(await service.listen());
  const checkout = new Checkout(new PriceLoader(client));
  const seal = crypto.createHash('sha1');
  let earned = 0;
  for (const basket of baskets(count)) {
    const total = await checkout.total(basket);
    earned += total.cents;
    seal.update(receipt(total));
  }
  client.close();
  service.close();
  console.log(`baskets ${count} earned ${(earned / 100).toFixed(2)} seal ${seal.digest('hex').slice(0, 16)}`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

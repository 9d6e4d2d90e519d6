'use strict';
// Compares the offers of several brokers for a list of shipments.
const http = require('node:http');
const { fork } = require('node:child_process');
const { createHash } = require('node:crypto');

const BROKERS = ['ash', 'birch', 'cedar', 'elm', 'hazel', 'larch'];

/** The brokers' side: one small service which answers for all of them. */
function serve() {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const broker = url.pathname.slice(1);
    const weight = Number(url.searchParams.get('weight'));
    const rate = 30 + ((broker.charCodeAt(0) * 13 + weight * 7) % 55);
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ broker, cents: rate * weight, days: 1 + (rate % 6) }));
    }, 11);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit(0));
}

/** The desk's side. */
class Exchange {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  }

  ask(broker, weight) {
    return new Promise((resolve, reject) => {
      const options = { port: this.port, host: '127.0.0.1', path: `/${broker}?weight=${weight}`, agent: this.agent };
      http
        .get(options, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (piece) => (text += piece));
          response.on('end', () => resolve(JSON.parse(text)));
        })
        .on('error', reject);
    });
  }

  close() {
    this.agent.destroy();
  }
}

/** Offers of all brokers for one shipment. */
async function offers(exchange, shipment) {
  return Promise.all(BROKERS.map((broker) => exchange.ask(broker, shipment.weight)));
}

function score(offer) {
  return offer.cents + offer.days * 140;
}

function best(list) {
  return list.reduce((kept, offer) => (score(offer) < score(kept) ? offer : kept));
}

function shipments(count) {
  return Array.from({ length: count }, (_, n) => ({ number: n, weight: 12 + ((n * 37) % 400) }));
}

async function book(exchange, list) {
  const mark = createHash('sha256');
  const wins = new Map();
  let total = 0;
  for (const shipment of list) {
    const offer = best(await offers(exchange, shipment));
    wins.set(offer.broker, (wins.get(offer.broker) ?? 0) + 1);
    total += offer.cents;
    mark.update(`${shipment.number}:${offer.broker}:${offer.cents};`);
  }
  return { total, wins, mark: mark.digest('hex').slice(0, 10) };
}

async function main() {
  const count = Number(process.argv[2]);
  const child = fork(__filename, ['serve']);
  const port = await new Promise((resolve) => child.once('message', resolve));
  const exchange = new Exchange(port);
  const { total, wins, mark } = await book(exchange, shipments(count));
  exchange.close();
  child.disconnect();
  console.log(`${count} shipments, ${total} cents, ${wins.size} brokers, ${mark}`);
}

if (process.argv[2] === 'serve') {
  serve();
} else {
  main();
}

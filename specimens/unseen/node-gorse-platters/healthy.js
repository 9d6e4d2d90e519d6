'use strict';
// Builds the evening card of a restaurant group: every dish is looked up at the kitchen service.

const http = require('http');

class Kitchen {
  constructor() {
    this.served = 0;
    this.server = http.createServer((request, response) => this.answer(request, response));
  }

  answer(request, response) {
    const number = Number(request.url.split('/').pop());
    this.served += 1;
    const body = JSON.stringify({
      number,
      name: `dish ${number}`,
      cents: 700 + ((number * 7919) % 2300),
      allergens: ['nuts', 'milk', 'egg', 'fish'].filter((_, at) => (number >> at) & 1),
    });
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    }, 5);
  }

  listen() {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', () => resolve(this.server.address().port)));
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

class KitchenClient {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 12 });
  }

  dish(number) {
    return new Promise((resolve, reject) => {
      const call = http.get(
        { host: '127.0.0.1', port: this.port, path: `/dish/${number}`, agent: this.agent },
        (response) => {
          const parts = [];
          response.on('data', (part) => parts.push(part));
          response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
        },
      );
      call.on('error', reject);
    });
  }

  close() {
    this.agent.destroy();
  }
}

class Card {
  constructor() {
    this.rows = [];
    this.flags = new Map();
  }

  add(dish) {
    this.rows.push({ name: dish.name, cents: this.priced(dish.cents) });
    for (const allergen of dish.allergens) {
      this.flags.set(allergen, (this.flags.get(allergen) || 0) + 1);
    }
  }

  priced(cents) {
    const service = Math.round(cents * 0.12);
    return Math.ceil((cents + service) / 10) * 10;
  }

  layout(width) {
    let mark = 17;
    for (const row of this.rows) {
      const line = row.name.padEnd(width, '.') + String(row.cents).padStart(6);
      for (let at = 0; at < line.length; at++) {
        mark = (mark * 31 + line.charCodeAt(at)) % 1000003;
      }
    }
    return mark;
  }

  total() {
    return this.rows.reduce((sum, row) => sum + row.cents, 0);
  }
}

class Planner {
  constructor(client) {
    this.client = client;
  }

  pick(count) {
    const numbers = [];
    let state = 4241;
    while (numbers.length < count) {
      state = (state * 16807) % 2147483647;
      numbers.push(state % 5000);
    }
    return numbers;
  }

  async card(count) {
    const card = new Card();
    const dishes = await Promise.all(this.pick(count).map((number) => this.client.dish(number)));
    for (const dish of dishes) {
      card.add(dish);
    }
    return card;
  }
}

async function main() {
  const count = Number(process.argv[2] || 40);
  const kitchen = new Kitchen();
  const client = new KitchenClient(await kitchen.listen());
  const card = await new Planner(client).card(count);
  client.close();
  kitchen.close();
  const flags = [...card.flags].sort().map(([name, times]) => `${name} ${times}`).join(' ');
  console.log(`served ${kitchen.served} total ${card.total()} mark ${card.layout(60)} ${flags}`);
}

main();

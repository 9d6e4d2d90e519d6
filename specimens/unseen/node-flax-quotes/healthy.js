'use strict';
// Flax quotes: a buyer asks the mills of a region for their quotes and orders the cheapest mix for every week.
const crypto = require('crypto');
const http = require('http');

const MILLS = ['aller', 'bode', 'dosse', 'elde', 'fulda', 'havel', 'ilm', 'jagst'];

function mix(...parts) {
  return crypto.createHash('md5').update(parts.join('/')).digest().readUInt32LE(0);
}

function startMills() {
  const server = http.createServer((request, response) => {
    const [, mill, week] = request.url.split('/');
    const pause = 6 + (mix('pause', mill, week) % 5);
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ mill, week: Number(week), price: 400 + (mix(mill, week) % 300), tons: 5 + (mix(week, mill) % 20) }));
    }, pause);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

class Wire {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  }

  get(path) {
    return new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port: this.port, path, agent: this.agent }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
      });
      request.on('error', reject);
    });
  }

  close() {
    this.agent.destroy();
  }
}

class Buyer {
  constructor(wire, mills) {
    this.wire = wire;
    this.mills = mills;
    this.stock = 120;
  }

  quote(mill, week) {
    return this.wire.get(`/${mill}/${week}`);
  }

  async quotes(week) {
    return Promise.all(this.mills.map((mill) => this.quote(mill, week)));
  }

  need(week) {
    return 30 + (mix('need', week) % 25) - Math.min(20, this.stock >> 3);
  }

  /** The cheapest mix that covers the need, by trying every subset of the mills. */
  cheapest(offers, need) {
    let best = { cost: Infinity, pick: 0, tons: 0 };
    for (let pick = 1; pick < 1 << offers.length; pick++) {
      let cost = 0;
      let tons = 0;
      for (let n = 0; n < offers.length; n++) {
        if (pick & (1 << n)) {
          cost += offers[n].price * offers[n].tons;
          tons += offers[n].tons;
        }
      }
      if (tons >= need && cost < best.cost) {
        best = { cost, pick, tons };
      }
    }
    return best;
  }

  async buy(week) {
    const offers = await this.quotes(week);
    const need = this.need(week);
    const order = this.cheapest(offers, need);
    this.stock += order.tons - need;
    return order;
  }
}

async function main() {
  const weeks = Number(process.argv[2] || 10);
  const server = await startMills();
  const wire = new Wire(server.address().port);
  const buyer = new Buyer(wire, MILLS);
  const mark = crypto.createHash('sha256');
  let cost = 0;
  for (let week = 0; week < weeks; week++) {
    const order = await buyer.buy(week);
    cost += order.cost;
    mark.update(`${order.pick}:${order.tons};`);
  }
  wire.close();
  server.close();
  console.log(`weeks ${weeks} cost ${cost} stock ${buyer.stock} mark ${mark.digest('hex').slice(0, 16)}`);
}

main();

'use strict';
// Collects the soundings of all stations from the survey's service and prints a digest of the ground.

const { fork } = require('child_process');
const crypto = require('crypto');
const http = require('http');
const { once } = require('events');

const KINDS = ['basalt', 'gneiss', 'marl', 'tuff', 'schist'];

function sounding(station) {
  const depths = [];
  let value = station * 7919 + 13;
  for (let layer = 0; layer < 24; layer++) {
    value = (Math.imul(value, 1103515245) + 12345) & 0x7fffffff;
    depths.push({ kind: KINDS[(value >> 7) % KINDS.length], metres: ((value >> 11) % 900) / 10 });
  }
  return { station, depths };
}

function serve() {
  const server = http.createServer((request, response) => {
    const station = Number(request.url.split('/').pop());
    setTimeout(() => {
      const body = JSON.stringify(sounding(station));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    }, 6);
  });
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('disconnect', () => process.exit(0));
}

class Service {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 12 });
    this.asked = 0;
  }

  ask(path) {
    this.asked++;
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

/** Runs the work for each item and gives the results in the order of the items. */
function collect(items, work) {
  return Promise.all(items.map((item) => work(item)));
}

class Ground {
  constructor() {
    this.layers = new Map(KINDS.map((kind) => [kind, { count: 0, tenths: 0 }]));
    this.hash = crypto.createHash('sha1');
  }

  add({ station, depths }) {
    for (const { kind, metres } of depths) {
      const layer = this.layers.get(kind);
      layer.count++;
      layer.tenths += Math.round(metres * 10);
    }
    this.hash.update(`${station}:${depths.length};`);
  }

  toString() {
    return [...this.layers].map(([kind, { count, tenths }]) => `${kind}=${count}/${tenths}`).join(' ');
  }
}

class Survey {
  constructor(service) {
    this.service = service;
    this.retries = 0;
  }

  async station(number) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.service.ask(`/station/${number}`);
      } catch (error) {
        if (attempt === 2) throw error;
        this.retries++;
      }
    }
  }

  async run(count) {
    const numbers = Array.from({ length: count }, (_, index) => index + 100);
    const answers = await collect(numbers, (number) => this.station(number));
    const ground = new Ground();
    for (const answer of answers) ground.add(answer);
    return ground;
  }
}

async function main() {
  const count = Number(process.argv[2] ?? 10);
  const child = fork(__filename, ['serve']);
  const [{ port }] = await once(child, 'message');
  const service = new Service(port);
  const survey = new Survey(service);
  const pulse = setInterval(() => survey.retries > 99 && process.exit(1), 100);
  const ground = await survey.run(count);
  clearInterval(pulse);
  service.close();
  child.disconnect();
  await once(child, 'exit');
  console.log(String(ground), service.asked, ground.hash.digest('hex').slice(0, 12));
}

if (process.argv[2] === 'serve') serve();
else main();

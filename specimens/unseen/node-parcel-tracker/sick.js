'use strict';
// Follows a shipment through the carrier's event log, page by page.

const http = require('node:http');
const crypto = require('node:crypto');
const { fork } = require('node:child_process');

const PER_PAGE = 40;

function serve(pages) {
  const lookup = (cursor) => {
    const events = [];
    for (let n = 0; n < PER_PAGE; n++) {
      const serial = cursor * PER_PAGE + n;
      events.push({ serial, place: `hub ${(serial * 31) % 17}`, kind: ['in', 'scan', 'out'][serial % 3], minute: serial * 11 });
    }
    return { events, next: cursor + 1 < pages ? cursor + 1 : null };
  };
  const server = http.createServer((request, response) => {
    const cursor = Number(new URL(request.url, 'http://x').searchParams.get('cursor'));
    const send = () => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(lookup(cursor)));
    };
    setTimeout(send, 150);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

class Carrier {
  constructor(port) {
    this.agent = new http.Agent({ keepAlive: true });
    this.port = port;
  }

  request(path) {
    return new Promise((resolve, reject) => {
      const call = http.request({ host: '127.0.0.1', port: this.port, path, agent: this.agent }, async (response) => {
        let text = '';
        for await (const part of response.setEncoding('utf8')) text += part;
        resolve(text);
      });
      call.on('error', reject);
      call.end();
    });
  }

  close() {
    this.agent.destroy();
  }
}

async function fetchPage(carrier, cursor) {
  const text = await carrier.request(`/events?shipment=77&cursor=${cursor}`);
  return JSON.parse(text);
}

async function* history(carrier) {
  let cursor = 0;
  while (cursor !== null) {
    const page = await fetchPage(carrier, cursor);
    yield* page.events;
    cursor = page.next;
  }
}

class Journey {
  constructor() {
    this.stays = new Map();
    this.open = new Map();
    this.count = 0;
    this.hash = crypto.createHash('sha256');
  }

  fold(event) {
    this.count += 1;
    if (event.kind === 'in') this.open.set(event.place, event.minute);
    if (event.kind === 'out') {
      const since = this.open.get(event.place) ?? event.minute - 5;
      this.stays.set(event.place, (this.stays.get(event.place) || 0) + event.minute - since);
    }
    for (let n = 0; n < 20; n++) this.hash.update(`${event.serial}:${n}`);
  }

  longest() {
    return [...this.stays].sort((a, b) => b[1] - a[1])[0];
  }
}

async function main() {
  const child = fork(__filename, ['--serve', process.argv[2] || '3']);
  const port = await new Promise((resolve) => child.once('message', resolve));
  const carrier = new Carrier(port);
  const journey = new Journey();
  for await (const event of history(carrier)) journey.fold(event);
  carrier.close();
  child.kill();
  console.log('events', journey.count, 'longest', journey.longest().join(' '), journey.hash.digest('hex').slice(0, 10));
}

if (process.argv[2] === '--serve') serve(Number(process.argv[3]));
else main();

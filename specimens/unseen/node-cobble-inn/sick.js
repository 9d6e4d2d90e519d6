'use strict';
// Cobble inn: asks the house server for every room and works out tonight's rates.
const http = require('http');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function serve() {
  const server = http.createServer((request, response) => {
    const number = Number(new URL(request.url, 'http://inn').searchParams.get('room'));
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ number, beds: 1 + (number % 4), nights: (number * 7919) % 30, window: number % 3 === 0 }));
    }, 18 + (number % 5));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

class RoomClient {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
    this.asked = 0;
  }

  get(path) {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.port, path, agent: this.agent };
      const request = http.get(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => { text += part; });
        response.on('end', () => resolve(JSON.parse(text)));
      });
      request.on('error', reject);
    });
  }

  async fetchRoom(number) {
    this.asked += 1;
    const room = await this.get(`/rooms?room=${number}`);
    return { ...room, fetched: true };
  }

  close() {
    this.agent.destroy();
  }
}

class Innkeeper {
  constructor(client) {
    this.client = client;
    this.shown = 0;
  }

  // The rooms are independent of each other.
  async collectRooms(count) {
    const rooms = [];
    for (let number = 0; number < count; number += 1) {
      const room = await this.client.fetchRoom(number);
      rooms.push(room);
    }
    return rooms;
  }

  // What a room costs tonight, from a made-up season.
  rate(room) {
    let rate = 40 + room.beds * 12 + (room.window ? 9 : 0);
    for (let day = 0; day < 3000; day += 1) {
      rate += (((day * 31 + room.number) % 17) - 8) * 0.01 - rate * 0.0001 * (room.nights / 30);
    }
    return rate;
  }

  watch() {
    return setInterval(() => { this.shown = this.client.asked; }, 200);
  }
}

async function main() {
  const count = Number(process.argv[2] || 10);
  const worker = new Worker(__filename);
  const port = await new Promise((resolve) => { worker.once('message', resolve); });
  const client = new RoomClient(port);
  const keeper = new Innkeeper(client);
  const timer = keeper.watch();
  const rooms = await keeper.collectRooms(count);
  clearInterval(timer);
  const income = rooms.reduce((sum, room) => sum + keeper.rate(room), 0);
  const best = rooms.map((room) => [keeper.rate(room), room.number]).sort((one, other) => other[0] - one[0])[0];
  console.log(`${rooms.length} rooms, income ${income.toFixed(2)}, best ${best[1]}`);
  client.close();
  await worker.terminate();
}

if (isMainThread) {
  main().catch((error) => { console.error(error); process.exit(1); });
} else {
  serve();
}

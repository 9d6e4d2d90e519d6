'use strict';
// Wicker boats: asks the harbour for a berth for each boat over a small line protocol.
const net = require('net');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function serve() {
  const server = net.createServer((socket) => {
    let greeted = false;
    let rest = '';
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (part) => {
      rest += part;
      let end = rest.indexOf('\n');
      while (end >= 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        if (line.startsWith('HELLO')) {
          greeted = true;
          setTimeout(() => socket.write('WELCOME\n'), 9);
        } else if (greeted && line.startsWith('BERTH')) {
          const boat = Number(line.split(' ')[1]);
          socket.write(`${(boat * 7919) % 512}\n`);
        } else {
          socket.write('ERR\n');
        }
        end = rest.indexOf('\n');
      }
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

class Line {
  constructor(socket) {
    this.socket = socket;
    this.waiting = [];
    this.rest = '';
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    socket.on('data', (part) => this.take(part));
    socket.on('error', (error) => this.waiting.forEach((waiter) => waiter.reject(error)));
  }

  take(part) {
    this.rest += part;
    let end = this.rest.indexOf('\n');
    while (end >= 0) {
      const waiter = this.waiting.shift();
      if (waiter) waiter.resolve(this.rest.slice(0, end));
      this.rest = this.rest.slice(end + 1);
      end = this.rest.indexOf('\n');
    }
  }

  send(text) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.socket.write(`${text}\n`);
    });
  }
}

class HarbourClient {
  constructor(port) {
    this.port = port;
    this.asked = 0;
    this.line = null;
  }

  async connect() {
    const socket = net.connect(this.port, '127.0.0.1');
    const line = new Line(socket);
    await line.send('HELLO captain');
    return line;
  }

  async ask(boat) {
    this.line = this.line || await this.connect();
    const berth = Number(await this.line.send(`BERTH ${boat}`));
    this.asked += 1;
    return berth;
  }

  close() {
    if (this.line) this.line.socket.destroy();
  }
}

// Where the wind takes a boat from its berth.
function drift(boat, berth) {
  let place = berth;
  let seed = boat + 1;
  for (let gust = 0; gust < 4000; gust += 1) {
    seed = (seed * 16807) % 2147483647;
    place += (seed % 7) - 3;
  }
  return place;
}

// Every boat's berth depends on where the one before has ended.
async function voyage(client, boats) {
  let place = 0;
  let sum = 0;
  for (let boat = 0; boat < boats; boat += 1) {
    const berth = await client.ask(boat + (Math.abs(place) % 13));
    place = drift(boat, berth);
    sum = (sum * 31 + berth) % 1000000007;
  }
  return [place, sum];
}

async function main() {
  const boats = Number(process.argv[2] || 5);
  const worker = new Worker(__filename);
  const port = await new Promise((resolve) => { worker.once('message', resolve); });
  const client = new HarbourClient(port);
  const [place, sum] = await voyage(client, boats);
  client.close();
  console.log(`${client.asked} asked, last place ${place}, sum ${sum}`);
  await worker.terminate();
}

if (isMainThread) {
  main().catch((error) => { console.error(error); process.exit(1); });
} else {
  serve();
}

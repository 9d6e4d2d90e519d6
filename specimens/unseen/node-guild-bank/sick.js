'use strict';
// Guild bank: the cashier books payments; the vault keeps the accounts and lets in only who knows the password.
const net = require('net');
const crypto = require('crypto');
const readline = require('readline');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

const PASSWORD = 'three ravens';

// The vault: a thread of its own, spoken to over a socket, one line for each wish.
function vault() {
  const accounts = new Map();
  const salt = Buffer.from('guild');
  const wanted = crypto.pbkdf2Sync(PASSWORD, salt, workerData.rounds, 32, 'sha256');

  function answer(session, line) {
    const [verb, ...words] = line.split(' ');
    if (verb === 'enter') {
      const shown = crypto.pbkdf2Sync(words.join(' '), salt, workerData.rounds, 32, 'sha256');
      session.inside = crypto.timingSafeEqual(shown, wanted);
      return session.inside ? 'welcome' : 'away';
    }
    if (!session.inside) return 'away';
    const [name, pence] = words;
    const balance = (accounts.get(name) || 0) + Number(pence);
    accounts.set(name, balance);
    return String(balance);
  }

  const server = net.createServer((socket) => {
    socket.setNoDelay(true);
    const session = { inside: false };
    readline.createInterface({ input: socket }).on('line', (line) => socket.write(answer(session, line) + '\n'));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

class Teller {
  constructor(port) {
    this.port = port;
  }

  reach() {
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.port, '127.0.0.1', () => {
        socket.setNoDelay(true);
        this.socket = socket;
        this.waiting = [];
        readline.createInterface({ input: socket }).on('line', (line) => this.waiting.shift()(line));
        this.say(`enter ${PASSWORD}`).then((line) => (line === 'welcome' ? resolve(this) : reject(new Error(line))));
      });
      socket.on('error', reject);
    });
  }

  say(line) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.socket.write(line + '\n');
    });
  }

  leave() {
    this.socket.end();
    this.socket = null;
  }
}

const MEMBERS = ['smith', 'cooper', 'mason', 'weaver', 'dyer'];

class Cashier {
  constructor(port) {
    this.port = port;
    this.sum = 0;
  }

  async book(name, pence) {
    const teller = await new Teller(this.port).reach();
    try {
      return Number(await teller.say(`pay ${name} ${pence}`));
    } finally {
      teller.leave();
    }
  }

  async day(payments) {
    for (let number = 0; number < payments; number++) {
      const balance = await this.book(MEMBERS[number % MEMBERS.length], 5 + ((number * 37) % 90));
      this.sum = (this.sum * 33 + balance) % 1000003;
    }
  }

  close() {}
}

async function main() {
  const thread = new Worker(__filename, { workerData: { rounds: 4000 } });
  const port = await new Promise((resolve) => thread.once('message', resolve));
  const cashier = new Cashier(port);
  await cashier.day(parseInt(process.argv[2] || '20', 10));
  cashier.close();
  await thread.terminate();
  console.log('books', cashier.sum);
}

if (isMainThread) main();
else vault();

'use strict';
// Prints the mail room's evening sheet: each letter gets its stamp value from the tariff daemon.
const net = require('net');
const crypto = require('crypto');

const SECRET = 'franking-7';

function startDaemon() {
  const server = net.createServer((socket) => {
    socket.setNoDelay(true);
    const nonce = crypto.randomBytes(8).toString('hex');
    let known = false;
    let rest = '';
    setTimeout(() => socket.write(`220 ${nonce}\n`), 2);
    socket.on('data', (chunk) => {
      rest += chunk;
      let at;
      while ((at = rest.indexOf('\n')) >= 0) {
        const [verb, ...args] = rest.slice(0, at).split(' ');
        rest = rest.slice(at + 1);
        if (verb === 'AUTH') {
          known = args[0] === proof(nonce);
          setTimeout(() => socket.write(known ? '230 welcome\n' : '430 no\n'), 2);
        } else if (verb === 'RATE' && known) {
          const [zone, grams] = args.map(Number);
          socket.write(`250 ${80 + zone * 35 + Math.ceil(grams / 20) * 9}\n`);
        } else if (verb === 'QUIT') {
          socket.end();
        } else {
          socket.write('500 what\n');
        }
      }
    });
    socket.on('error', () => socket.destroy());
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function proof(nonce) {
  return crypto.createHmac('sha256', SECRET).update(nonce).digest('hex');
}

class Line {
  constructor(port) {
    this.port = port;
    this.waiting = [];
    this.rest = '';
  }

  async open() {
    this.socket = net.connect(this.port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => this.feed(String(chunk)));
    const greeting = await this.next();
    const answer = await this.ask(`AUTH ${proof(greeting.split(' ')[1])}`);
    if (!answer.startsWith('230')) throw new Error(answer);
    return this;
  }

  feed(text) {
    this.rest += text;
    let at;
    while ((at = this.rest.indexOf('\n')) >= 0) {
      const line = this.rest.slice(0, at);
      this.rest = this.rest.slice(at + 1);
      this.waiting.shift()(line);
    }
  }

  next() {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  ask(text) {
    const answer = this.next();
    this.socket.write(`${text}\n`);
    return answer;
  }

  close() {
    this.socket.write('QUIT\n');
    this.socket.end();
  }
}

class Tariff {
  constructor(port) {
    this.port = port;
    this.line = null;
  }

  async rate(zone, grams) {
    if (!this.line) this.line = await new Line(this.port).open();
    const answer = await this.line.ask(`RATE ${zone} ${grams}`);
    const [code, cents] = answer.split(' ');
    if (code !== '250') throw new Error(answer);
    return Number(cents);
  }

  close() {
    if (this.line) this.line.close();
  }
}

function letters(count) {
  const list = [];
  for (let i = 0; i < count; i++) {
    list.push({ id: i, zone: (i * 7) % 5, grams: 12 + ((i * 131) % 480), to: `box ${(i * 37) % 900}` });
  }
  return list;
}

function barcode(letter, cents) {
  let code = '';
  for (let round = 0; round < 20; round++) {
    code = crypto.createHash('sha1').update(`${code}${letter.id}|${letter.to}|${cents}`).digest('hex');
  }
  return code.slice(0, 8);
}

async function main() {
  const server = await startDaemon();
  const tariff = new Tariff(server.address().port);
  let budget = 400000;
  let sent = 0;
  const seal = crypto.createHash('md5');
  for (const letter of letters(Number(process.argv[2]))) {
    const cents = await tariff.rate(letter.zone, Math.min(letter.grams, budget));
    if (cents > budget) break;
    budget -= cents;
    sent += 1;
    seal.update(barcode(letter, cents));
  }
  tariff.close();
  server.close();
  console.log(sent, budget, seal.digest('hex').slice(0, 12));
}

main();

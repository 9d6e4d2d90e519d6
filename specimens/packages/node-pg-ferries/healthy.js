// Answers what the ticket offices of a ferry line ask its database; a small PostgreSQL of its own stands in for the real one.
'use strict';
const net = require('node:net');
const { Pool } = require('pg');

const GREETING = 10; // milliseconds until a new backend has started and let the client in
const ANSWER = 1;

function message(kind, ...parts) {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function int(bytes, value) {
  const out = Buffer.alloc(bytes);
  out.writeIntBE(value, 0, bytes);
  return out;
}

function ready() {
  return message('Z', 'I');
}

function row(number) {
  const text = String(20 + ((number * 7) % 180));
  return Buffer.concat([
    message('1'),
    message('2'),
    message('T', int(2, 1), 'seats\0', int(4, 0), int(2, 0), int(4, 23), int(2, 4), int(4, -1), int(2, 0)),
    message('D', int(2, 1), int(4, text.length), text),
    message('C', 'SELECT 1\0'),
    ready(),
  ]);
}

function bound(body) {
  const at = body.indexOf(0, body.indexOf(0) + 1) + 1;
  const formats = body.readInt16BE(at);
  const value = at + 2 + 2 * formats + 2;
  return Number(body.toString('utf8', value + 4, value + 4 + body.readInt32BE(value)));
}

function backend(socket) {
  let rest = Buffer.alloc(0);
  let started = false;
  let sailing = 0;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4 || rest.length < head + rest.readInt32BE(head)) return;
      const end = head + rest.readInt32BE(head);
      const kind = started ? String.fromCharCode(rest[0]) : 'start';
      const body = rest.subarray(head + 4, end);
      rest = rest.subarray(end);
      if (kind === 'start') {
        started = true;
        setTimeout(() => socket.write(Buffer.concat([message('R', int(4, 0)), ready()])), GREETING);
      } else if (kind === 'B') {
        sailing = bound(body);
      } else if (kind === 'S') {
        const answer = row(sailing);
        setTimeout(() => socket.write(answer), ANSWER);
      } else if (kind === 'X') {
        socket.end();
      }
    }
  });
}

function listen() {
  return new Promise((resolve) => {
    const server = net.createServer(backend);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

async function ask(pool, text, values) {
  return (await pool.query(text, values)).rows;
}

async function seats(pool, sailing) {
  const [found] = await ask(pool, 'SELECT seats FROM sailings WHERE id = $1', [sailing]);
  return found.seats;
}

async function office(pool, number, questions) {
  let free = 0;
  for (let question = 0; question < questions; question += 1) {
    free += await seats(pool, number * 40 + question);
  }
  return free;
}

async function main(questions) {
  const server = await listen();
  const database = { host: '127.0.0.1', port: server.address().port, user: 'office', database: 'ferries' };
  const pool = new Pool(database);
  const free = await Promise.all([0, 1, 2].map((number) => office(pool, number, questions)));
  await pool.end();
  server.close();
  console.log(`${free.length * questions} questions, free seats ${free.join(' ')}`);
}

main(Number(process.argv[2]));

// Brings the stock of a shop up to date in its key-value store; a child speaks the store's protocol.
'use strict';
const { fork } = require('child_process');
const net = require('net');
const Redis = require('ioredis');
const Parser = require('redis-parser');

function answer(stock, [name, key, value]) {
  switch (name.toLowerCase()) {
    case 'set':
      stock.set(key, value);
      return '+OK\r\n';
    case 'get': {
      const held = stock.get(key) || '';
      return `$${held.length}\r\n${held}\r\n`;
    }
    default:
      return '+OK\r\n';
  }
}

function store() {
  const stock = new Map();
  const server = net.createServer((socket) => {
    socket.setNoDelay();
    let out = '';
    const parser = new Parser({ returnReply: (command) => { out += answer(stock, command); }, returnError: () => {} });
    socket.on('data', (data) => {
      out = '';
      parser.execute(data);
      socket.write(out);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}

function delivery(count) {
  return Array.from({ length: count }, (_, at) => ({ sku: `sku:${at}`, pieces: (at * 37) % 101 }));
}

async function book(redis, lines) {
  for (const { sku, pieces } of lines) {
    await redis.set(sku, pieces);
  }
}

function main(count) {
  const child = fork(__filename);
  child.on('message', async (port) => {
    const redis = new Redis({ host: '127.0.0.1', port, enableReadyCheck: false });
    const lines = delivery(count);
    await book(redis, lines);
    console.log(await redis.get(lines[count - 1].sku));
    redis.disconnect();
    child.disconnect();
  });
}

if (process.send) store();
else main(Number(process.argv[2]));

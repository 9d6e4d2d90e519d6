// Looks up the stock of the articles that a shop's customers ask for; a child speaks the database's protocol.
'use strict';
const { fork } = require('child_process');
const server = require('mysql2');
const mysql = require('mysql2/promise');

const COLUMN = { catalog: 'def', schema: 'shop', table: 'stock', orgTable: 'stock', name: 'pieces', orgName: 'pieces',
  characterSet: 33, columnLength: 11, columnType: 253, flags: 0, decimals: 0 };

function database() {
  let number = 0;
  const listener = server.createServer((connection) => {
    number += 1;
    connection.stream.setNoDelay();
    connection.serverHandshake({ protocolVersion: 10, serverVersion: '5.6.10', connectionId: number,
      statusFlags: 2, characterSet: 8, capabilityFlags: 0xffffff,
      authCallback: (_, accept) => { accept(null); connection.sequenceId = 0; } });
    connection.on('query', (text) => {
      connection.stream.cork();
      connection.writeColumns([COLUMN]);
      connection.writeTextRow([String((Number(/\d+$/.exec(text)[0]) * 37) % 101)]);
      connection.writeEof();
      connection.stream.uncork();
      connection.sequenceId = 0;
    });
    connection.on('error', () => {});
  });
  listener.listen(0, '127.0.0.1');
  listener._server.on('listening', () => process.send(listener._server.address().port));
  process.on('disconnect', () => process.exit());
}

async function pieces(pool, article) {
  const [rows] = await pool.query(`select pieces from stock where article = ${article}`);
  return Number(rows[0].pieces);
}

async function total(shop, count) {
  let sum = 0;
  const pool = mysql.createPool(shop);
  for (let article = 0; article < count; article += 1) sum += await pieces(pool, article);
  await pool.end();
  return sum;
}

function main(count) {
  const child = fork(__filename);
  child.on('message', async (port) => {
    console.log(count, await total({ host: '127.0.0.1', port, user: 'shop', database: 'shop' }, count));
    child.disconnect();
  });
}

if (process.send) database();
else main(Number(process.argv[2]));

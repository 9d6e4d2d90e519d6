// Fills the departure board of a bus station: asks the timetable service for each stop, over kept connections.
'use strict';
const net = require('net');
const { createPool } = require('generic-pool');

function timetable() {
  const server = net.createServer((socket) => {
    socket.on('data', (chunk) => {
      const stop = Number(chunk.toString());
      const minutes = [4, 19, 34].map((minute) => (minute + stop * 7) % 60);
      setTimeout(() => socket.write(`${minutes.join(',')}\n`), 10);
    });
    socket.on('error', () => {});
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function lines(port) {
  const factory = {
    create: () => new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
      socket.once('error', reject);
    }),
    destroy: async (socket) => { socket.destroy(); },
  };
  return createPool(factory, { max: 16 });
}

function ask(socket, stop) {
  return new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString().trim().split(',').map(Number)));
    socket.write(String(stop));
  });
}

function departures(pool, stop) {
  return pool.use((socket) => ask(socket, stop));
}

async function board(pool, stops) {
  const rows = await Promise.all(Array.from({ length: stops }, (_, stop) => departures(pool, stop)));
  const soon = rows.filter((row) => row.some((minute) => minute < 10)).length;
  const check = rows.flat().reduce((sum, minute) => (sum * 31 + minute) % 1000003, 7);
  return `${rows.length} stops, ${soon} with a bus within ten minutes, ${check}`;
}

async function main(stops) {
  const server = await timetable();
  const pool = lines(server.address().port);
  console.log(await board(pool, stops));
  await pool.drain();
  await pool.clear();
  server.close();
}

main(Number(process.argv[2]));

// Counts what the sensors of a greenhouse report; a child takes the counts in, as the metrics daemon would.
'use strict';
const { fork } = require('child_process');
const dgram = require('dgram');
const { StatsD } = require('hot-shots');

function daemon() {
  const socket = dgram.createSocket('udp4');
  let lines = 0;
  socket.on('message', (packet) => { lines += packet.toString().split('\n').length; });
  socket.bind(0, '127.0.0.1', () => {
    socket.setRecvBufferSize(4194304);
    process.send(socket.address().port);
  });
  process.on('disconnect', () => process.exit(lines > 0 ? 0 : 1));
}

function reports(count) {
  return Array.from({ length: count }, (_, at) => ({ bed: at % 40, celsius: 14 + ((at * 7) % 130) / 10, humid: at % 3 === 0 }));
}

function connect(port) {
  return new StatsD({ host: 'localhost', port, prefix: 'greenhouse.', maxBufferSize: 1400 });
}

function record(metrics, { bed, celsius, humid }) {
  return new Promise((resolve) => {
    if (humid) metrics.increment('humid', { bed });
    metrics.gauge('celsius', celsius, { bed }, resolve);
  });
}

async function watch(metrics, count) {
  const list = reports(count);
  for (let at = 0; at < list.length; at += 20) {
    await Promise.all(list.slice(at, at + 20).map((report) => record(metrics, report)));
  }
}

async function main(count) {
  const child = fork(__filename);
  child.on('message', async (port) => {
    const metrics = connect(port);
    await watch(metrics, count);
    metrics.close(() => child.disconnect());
    console.log(count);
  });
}

if (process.send) daemon();
else main(Number(process.argv[2]));

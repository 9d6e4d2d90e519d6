// Reports the readings of a greenhouse's sensors to a broker; the broker is here, in a thread of its own.
'use strict';
const net = require('net');
const { Worker, isMainThread, parentPort } = require('worker_threads');
const aedes = require('aedes');
const mqtt = require('mqtt');

function broker() {
  const hub = aedes();
  let heard = 0;
  let degrees = 0;
  hub.subscribe('greenhouse/#', (packet, done) => {
    heard += 1;
    degrees += JSON.parse(packet.payload).degrees;
    done();
  }, () => {});
  const server = net.createServer(hub.handle);
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => parentPort.postMessage({ heard, degrees }));
}

function readings(count) {
  return Array.from({ length: count }, (_, at) => ({ bench: at % 24, degrees: 15 + ((at * 7) % 18), at: 1700000000 + at * 30 }));
}

async function report(client, reading) {
  await client.publishAsync(`greenhouse/${reading.bench}`, JSON.stringify(reading), { qos: 1 });
}

async function round(address, list) {
  const client = await mqtt.connectAsync(address);
  for (const reading of list) await report(client, reading);
  await client.endAsync();
}

async function main(count) {
  const thread = new Worker(__filename);
  const port = await new Promise((resolve) => thread.once('message', resolve));
  await round(`mqtt://127.0.0.1:${port}`, readings(count));
  thread.once('message', ({ heard, degrees }) => {
    console.log(heard, degrees);
    thread.terminate();
  });
  thread.postMessage('sum');
}

if (isMainThread) main(Number(process.argv[2]));
else broker();

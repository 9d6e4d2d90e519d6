// Follows a map server, which sends each sheet of an atlas as one event; the server is here, in a thread of its own.
'use strict';
const http = require('http');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

function sheet(number, bytes) {
  const places = [];
  for (let at = 0; at * 60 < bytes; at += 1) {
    places.push({ name: `place ${number}-${at}`, east: (at * 7919) % 36000, north: (at * 104729) % 18000 });
  }
  return `id: ${number}\nevent: sheet\ndata: ${JSON.stringify(places)}\n\n`;
}

function serve({ sheets, bytes }) {
  const server = http.createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let number = 0;
    const next = () => {
      if (number < sheets) response.write(sheet(number++, bytes), next);
    };
    next();
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

function measure(places) {
  let east = 0;
  for (const place of places) east = Math.max(east, place.east);
  return { places: places.length, east };
}

function follow(port, sheets, done) {
  const EventSource = require('eventsource');
  const source = new EventSource(`http://127.0.0.1:${port}/sheets`);
  const atlas = [];
  source.addEventListener('sheet', (event) => {
    atlas.push(measure(JSON.parse(event.data)));
    if (atlas.length === sheets) {
      source.close();
      done(atlas);
    }
  });
}

function main(sheets, bytes) {
  const server = new Worker(__filename, { workerData: { sheets, bytes } });
  server.once('message', (port) => follow(port, sheets, (atlas) => {
    console.log(atlas.length, atlas.reduce((sum, { places }) => sum + places, 0), atlas[0].east);
    server.terminate();
  }));
}

if (isMainThread) main(Number(process.argv[2]), Number(process.argv[3]));
else serve(workerData);

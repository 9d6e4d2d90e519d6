// Asks a carrier where the parcels of a shop are; a small server in a child stands for the carrier's, which takes its time.
'use strict';
const { fork } = require('child_process');
const http = require('http');
const { Client } = require('undici');

const PLACES = ['depot', 'van', 'door', 'shelf'];

function carrier() {
  const server = http.createServer((request, response) => {
    const parcel = Number(request.url.split('/').pop());
    setTimeout(() => response.end(JSON.stringify({ parcel, place: PLACES[parcel % PLACES.length] })), 10);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}

function desk(port) {
  return new Client(`http://127.0.0.1:${port}`);
}

async function place(carrier, parcel) {
  const { body } = await carrier.request({ path: `/parcel/${parcel}`, method: 'GET' });
  return (await body.json()).place;
}

async function board(carrier, parcels) {
  const asked = [];
  for (let parcel = 0; parcel < parcels; parcel += 1) asked.push(place(carrier, parcel));
  const counts = {};
  for (const found of await Promise.all(asked)) counts[found] = (counts[found] || 0) + 1;
  return counts;
}

function main(parcels) {
  const child = fork(__filename);
  child.on('message', async (port) => {
    const carrier = desk(port);
    console.log(JSON.stringify(await board(carrier, parcels)));
    await carrier.close();
    child.disconnect();
  });
}

if (process.send) carrier();
else main(Number(process.argv[2]));

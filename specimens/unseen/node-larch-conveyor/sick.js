'use strict';
// A packing line: stations run in worker threads, parcels go through them one after the other.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const crypto = require('crypto');

const STATIONS = ['weigh', 'wrap', 'seal'];

function work(station, parcel) {
  if (station === 'weigh') {
    let grams = 0;
    for (const item of parcel.items) grams += item.grams * item.count;
    return { ...parcel, grams };
  }
  if (station === 'wrap') {
    const sides = [1, 2, 3].map((side) => 1 + ((parcel.id * side * 17 + parcel.grams) % 60));
    return { ...parcel, sides, paper: 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[0] * sides[2]) };
  }
  const tag = crypto.createHash('sha256');
  for (let turn = 0; turn < 50; turn++) tag.update(`${parcel.id}:${parcel.grams}:${parcel.paper}:${turn}`);
  return { ...parcel, tag: tag.digest('hex').slice(0, 10) };
}

if (!isMainThread) {
  parentPort.on('message', ({ ticket, parcel }) => {
    parentPort.postMessage({ ticket, parcel: work(workerData.station, parcel) });
  });
}

class Station {
  constructor(name) {
    this.name = name;
    this.done = new Map();
    this.tickets = 0;
    this.worker = new Worker(__filename, { workerData: { station: name } });
    this.worker.on('message', ({ ticket, parcel }) => this.arrived(ticket, parcel));
  }

  arrived(ticket, parcel) {
    this.done.set(ticket, parcel);
  }

  submit(parcel) {
    const ticket = ++this.tickets;
    this.worker.postMessage({ ticket, parcel });
    return ticket;
  }

  async collect(ticket) {
    while (!this.done.has(ticket)) await pause(4);
    const parcel = this.done.get(ticket);
    this.done.delete(ticket);
    return parcel;
  }

  ready() {
    return new Promise((resolve) => this.worker.once('online', resolve));
  }

  stop() {
    return this.worker.terminate();
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function order(id, last) {
  const items = [];
  for (let i = 0; i < 3 + (id % 5); i++) {
    items.push({ code: `A${(id * 31 + i) % 700}`, grams: 20 + ((id * 7 + i * 13 + last) % 300), count: 1 + (i % 3) });
  }
  return { id, items };
}

async function through(stations, parcel) {
  for (const station of stations) {
    const ticket = station.submit(parcel);
    parcel = await station.collect(ticket);
  }
  return parcel;
}

async function main() {
  const stations = STATIONS.map((name) => new Station(name));
  await Promise.all(stations.map((station) => station.ready()));
  const sum = crypto.createHash('sha1');
  let last = 0;
  let grams = 0;
  for (let id = 0; id < Number(process.argv[2]); id++) {
    const parcel = await through(stations, order(id, last));
    grams += parcel.grams;
    last = parcel.paper % 97;
    sum.update(parcel.tag);
  }
  await Promise.all(stations.map((station) => station.stop()));
  console.log(grams, last, sum.digest('hex').slice(0, 12));
}

if (isMainThread) main();

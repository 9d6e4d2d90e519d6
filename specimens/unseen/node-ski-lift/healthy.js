// Runs a ski lift: the engine (a worker thread) moves a cabin, then the next group boards.
'use strict';

const { once } = require('events');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function strain(cabin, weight) {
  let load = weight;
  for (let metre = 0; metre < 120000; metre += 1) load = (load * 33 + metre + cabin) % 1000003;
  return load;
}

function engine() {
  parentPort.on('message', ({ cabin, weight }) => {
    parentPort.postMessage({ cabin, load: strain(cabin, weight) });
  });
}

class Lift {
  constructor() {
    this.engine = new Worker(__filename);
    this.rides = 0;
  }

  async ride(cabin, weight) {
    this.engine.postMessage({ cabin, weight });
    const [arrived] = await once(this.engine, 'message');
    this.rides += 1;
    return arrived.load;
  }

  async close() {
    await this.engine.terminate();
  }
}

class Desk {
  constructor() {
    this.fares = 0;
    this.state = 1905;
  }

  group() {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    const skiers = 1 + ((this.state >>> 20) % 6);
    for (let skier = 0; skier < skiers; skier += 1) this.fares += 12 + ((this.state >>> skier) % 5);
    return { skiers, weight: skiers * 78 };
  }
}

async function day(lift, desk, groups) {
  let strains = 0;
  let skiers = 0;
  for (let cabin = 0; cabin < groups; cabin += 1) {
    const group = desk.group();
    skiers += group.skiers;
    strains += await lift.ride(cabin, group.weight);
  }
  return { strains, skiers };
}

async function main() {
  const groups = Number(process.argv[2] || 5);
  const lift = new Lift();
  const desk = new Desk();
  const { strains, skiers } = await day(lift, desk, groups);
  await lift.close();
  console.log(`${lift.rides} rides, ${skiers} skiers, fares ${desk.fares}, strain ${strains}`);
}

if (isMainThread) main();
else engine();

// Books the returns of a bicycle hire: each bicycle's sheet is read, the ride added and the sheet written back.
'use strict';
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const AsyncLock = require('async-lock');

const lock = new AsyncLock();

async function sheets(folder, bicycles) {
  for (let bicycle = 0; bicycle < bicycles; bicycle += 1) {
    await fs.writeFile(path.join(folder, `${bicycle}.json`), JSON.stringify({ rides: 0, minutes: 0 }));
  }
}

function rides(count, bicycles) {
  return Array.from({ length: count }, (_, number) => ({
    bicycle: (number * 7) % bicycles,
    minutes: 5 + ((number * 13) % 50),
    station: number % 9,
  }));
}

async function askStation(ride) {
  await pause(4); // the station says whether the lock has clicked
  return ride.station !== 8;
}

async function enter(folder, ride) {
  const file = path.join(folder, `${ride.bicycle}.json`);
  const sheet = JSON.parse(await fs.readFile(file, 'utf8'));
  if (await askStation(ride)) {
    sheet.rides += 1;
    sheet.minutes += ride.minutes;
    await fs.writeFile(file, JSON.stringify(sheet));
  }
}

function book(folder, ride) {
  return lock.acquire(`sheet-${ride.bicycle}`, () => enter(folder, ride));
}

async function totals(folder, bicycles) {
  let rode = 0;
  let minutes = 0;
  for (let bicycle = 0; bicycle < bicycles; bicycle += 1) {
    const sheet = JSON.parse(await fs.readFile(path.join(folder, `${bicycle}.json`), 'utf8'));
    rode += sheet.rides;
    minutes += sheet.minutes;
  }
  return `${rode} rides, ${minutes} minutes`;
}

async function main(count) {
  const bicycles = 60;
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bikes-'));
  await sheets(folder, bicycles);
  await Promise.all(rides(count, bicycles).map((ride) => book(folder, ride)));
  console.log(await totals(folder, bicycles));
  await fs.rm(folder, { recursive: true });
}

main(Number(process.argv[2]));

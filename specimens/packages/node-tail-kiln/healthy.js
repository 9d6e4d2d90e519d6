// Fires a kiln step by step: the controller writes each temperature into its log, the next step waits until it is read there.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Tail } = require('tail');

function programme(steps) {
  return Array.from({ length: steps }, (_, step) => ({ step, wanted: 200 + step * 75, minutes: 20 + ((step * 7) % 15) }));
}

function follow(file) {
  return new Tail(file);
}

function reading(log, step) {
  return new Promise((resolve, reject) => {
    const onLine = (line) => {
      const [number, degrees] = line.split(' ').map(Number);
      if (number !== step) return;
      log.removeListener('line', onLine);
      log.removeListener('error', reject);
      resolve(degrees);
    };
    log.on('line', onLine);
    log.once('error', reject);
  });
}

function heat(file, { step, wanted }) {
  fs.appendFile(file, `${step} ${wanted + ((step * 13) % 9) - 4}\n`, (error) => {
    if (error) throw error;
  });
}

async function fire(file, steps) {
  const log = follow(file);
  let drift = 0;
  for (const part of programme(steps)) {
    const read = reading(log, part.step);
    heat(file, part);
    drift += Math.abs((await read) - part.wanted);
  }
  log.unwatch();
  return drift;
}

async function main(steps) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kiln-'));
  const file = path.join(folder, 'controller.log');
  fs.writeFileSync(file, '');
  console.log(`${steps} steps, drift ${await fire(file, steps)}`);
  fs.rmSync(folder, { recursive: true });
}

main(Number(process.argv[2]));

// Reports what the buoys of a reef measured: time, warmth and salt of each reading.
'use strict';

const { createHash } = require('crypto');

const BUOYS = ['north', 'ledge', 'channel', 'lagoon'];
const START = Date.UTC(2024, 2, 1);

class Buoy {
  constructor(name, seed) {
    this.name = name;
    this.state = seed;
    this.clock = START;
  }

  draw() {
    this.state = (Math.imul(this.state, 1103515245) + 12345) >>> 0;
    return this.state >>> 12;
  }

  read() {
    this.clock += 60000 * (1 + (this.draw() % 30));
    return { buoy: this.name, at: this.clock, warmth: 18 + (this.draw() % 900) / 100, salt: 30 + (this.draw() % 80) / 10 };
  }
}

function stamp(reading) {
  const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const degrees = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 });
  return `${days.format(reading.at)} ${degrees.format(reading.warmth)}`;
}

function density(reading) {
  let rho = 1000 + reading.salt * 0.8;
  for (let depth = 0; depth < 60; depth += 1) rho += (depth * 0.004 - reading.warmth * 0.001) / (1 + depth * 0.01);
  return rho;
}

function bleaching(readings) {
  let weeks = 0;
  for (const reading of readings) if (reading.warmth > 26.5) weeks += 1;
  return weeks;
}

function line(reading) {
  return `${stamp(reading)} ${reading.buoy} ${density(reading).toFixed(3)}\n`;
}

function report(readings) {
  const digest = createHash('md5');
  let length = 0;
  for (const reading of readings) {
    const text = line(reading);
    digest.update(text);
    length += text.length;
  }
  return { digest: digest.digest('hex'), length };
}

function collect(count) {
  const buoys = BUOYS.map((name, number) => new Buoy(name, number * 77 + 1));
  const readings = [];
  for (let number = 0; number < count; number += 1) readings.push(buoys[number % buoys.length].read());
  return readings;
}

function main() {
  const count = Number(process.argv[2] || 500);
  const readings = collect(count);
  const { digest, length } = report(readings);
  console.log(`${count} readings, ${bleaching(readings)} too warm, ${length} letters, ${digest}`);
}

main();

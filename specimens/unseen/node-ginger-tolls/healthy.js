'use strict';
// Ginger tolls: reads the passages of a toll road from a file as they come, bills every car and closes the month.
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const readline = require('readline');
const { once } = require('events');

const GATES = 24;

class Dice {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  upTo(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }
}

async function writePassages(file, count) {
  const out = fs.createWriteStream(file, { highWaterMark: 1 << 18 });
  const dice = new Dice(3);
  let batch = [];
  for (let number = 0; number < count; number++) {
    const from = dice.upTo(GATES);
    const to = dice.upTo(GATES);
    batch.push(`K-${1000 + dice.upTo(9000)},${from},${to},${(number * 3) % 86400},${dice.upTo(3)}`);
    if (batch.length === 2000) {
      if (!out.write(batch.join('\n') + '\n')) {
        await once(out, 'drain');
      }
      batch = [];
    }
  }
  out.end(batch.length ? batch.join('\n') + '\n' : '');
  await once(out, 'finish');
}

function parse(line) {
  const [plate, from, to, second, kind] = line.split(',');
  return { plate, from: Number(from), to: Number(to), second: Number(second), kind: Number(kind) };
}

const RATES = [11, 17, 29];

function toll(passage) {
  const way = Math.abs(passage.to - passage.from) || GATES;
  const rush = (passage.second > 25200 && passage.second < 32400) || (passage.second > 57600 && passage.second < 66600);
  return Math.round(way * RATES[passage.kind] * (rush ? 1.4 : 1));
}

class Bills {
  constructor() {
    this.cars = new Map();
    this.gates = new Float64Array(GATES);
    this.hours = new Uint32Array(24);
  }

  add(passage) {
    const cents = toll(passage);
    let car = this.cars.get(passage.plate);
    if (!car) {
      car = { plate: passage.plate, cents: 0, passages: 0, last: 0 };
      this.cars.set(passage.plate, car);
    }
    car.cents += cents;
    car.passages++;
    car.last = passage.second;
    this.gates[passage.from] += cents;
    this.hours[Math.floor(passage.second / 3600)]++;
  }

  *letters() {
    const cars = [...this.cars.values()].sort((a, b) => b.cents - a.cents || (a.plate < b.plate ? -1 : 1));
    for (const car of cars) {
      const rebate = car.passages > 80 ? Math.floor(car.cents / 20) : 0;
      yield `${car.plate.padEnd(8)} ${String(car.passages).padStart(5)} ${((car.cents - rebate) / 100).toFixed(2).padStart(10)}`;
    }
  }
}

async function main() {
  const count = Number(process.argv[2] || 20000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ginger-'));
  const file = path.join(folder, 'passages.csv');
  await writePassages(file, count);
  const bills = new Bills();
  const lines = readline.createInterface({ input: fs.createReadStream(file, { highWaterMark: 1 << 18 }) });
  lines.on('line', (line) => bills.add(parse(line)));
  await once(lines, 'close');
  await fs.promises.rm(folder, { recursive: true });
  const mark = crypto.createHash('sha256');
  let letters = 0;
  for (const letter of bills.letters()) {
    mark.update(letter);
    letters++;
  }
  const busiest = bills.hours.indexOf(Math.max(...bills.hours));
  const sum = bills.gates.reduce((all, one) => all + one, 0);
  console.log(`passages ${count} cars ${letters} sum ${sum} busiest ${busiest} mark ${mark.digest('hex').slice(0, 16)}`);
}

main();

// A small command for haulage quotes: looks up the tariff of one country and prices a list of loads.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const COUNTRIES = ['at', 'be', 'ch', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'fr', 'gr', 'hu', 'ie', 'it',
  'lt', 'lu', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'se', 'si', 'sk', 'uk'];

const PACK = (country, number) => `'use strict';
function ladder(first, size) {
  const steps = new Float64Array(size);
  let price = first;
  for (let km = 0; km < size; km++) {
    for (let part = 1; part < 20; part++) price += Math.sqrt(km + part) * 0.001 + Math.sin(km * part * 0.001) * 0.0002;
    steps[km] = price;
  }
  return steps;
}
const bands = [];
for (let band = 0; band < 24; band++) bands.push(ladder(${number + 3} + band, ${9000 + number * 10}));
exports.country = '${country}';
exports.price = (km, tons) => bands[Math.min(23, tons | 0)][km % bands[0].length] * (1 + tons / 40);
`;

// The packs as an installation would have laid them out.
function install(folder) {
  COUNTRIES.forEach((country, number) => fs.writeFileSync(path.join(folder, `${country}.js`), PACK(country, number)));
}

class Tariffs {
  constructor(folder) {
    this.folder = folder;
    this.packs = new Map();
    for (const name of fs.readdirSync(folder)) {
      if (name.endsWith('.js')) this.add(name.slice(0, -3));
    }
  }

  add(country) {
    this.packs.set(country, require(path.join(this.folder, `${country}.js`)));
  }

  of(country) {
    const pack = this.packs.get(country);
    if (!pack) throw new Error(`no tariff for ${country}`);
    return pack;
  }
}

function loads(count) {
  const list = [];
  let state = 5;
  for (let n = 0; n < count; n++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    list.push({ number: n, km: (state >>> 9) % 2400, tons: ((state >>> 22) % 230) / 10 });
  }
  return list;
}

function surcharge(load) {
  let rate = load.km;
  for (let day = 0; day < 60; day++) rate = (rate * 1.0007 + load.tons) % 5000;
  return rate / 5000;
}

function quote(pack, list) {
  const lines = [];
  let total = 0;
  for (const load of list) {
    const price = pack.price(load.km, load.tons) * (1 + surcharge(load) / 20);
    total += price;
    lines.push(`${load.number};${load.km};${load.tons.toFixed(1)};${price.toFixed(2)}`);
  }
  return { lines, total };
}

function main() {
  const country = process.argv[2] ?? 'nl';
  const count = Number(process.argv[3] ?? 1000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tariffs-'));
  try {
    install(folder);
    const tariffs = new Tariffs(folder);
    const { lines, total } = quote(tariffs.of(country), loads(count));
    console.log(`country ${country} loads ${lines.length} total ${total.toFixed(2)} last ${lines[lines.length - 1]}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

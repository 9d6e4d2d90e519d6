'use strict';
// Writes the list of a wool sale, packs it into a file and reads it back to check the weights.

const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const readline = require('readline');
const { Readable } = require('stream');
const { pipeline } = require('stream/promises');
const { createHash } = require('crypto');

const BREEDS = ['Cheviot', 'Cotswold', 'Dorset', 'Leicester', 'Romney', 'Shetland', 'Suffolk'];

class Noise {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  below(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }
}

function line(number, noise) {
  const breed = BREEDS[noise.below(BREEDS.length)];
  return `${number};${breed};${90 + noise.below(80)};${10 + noise.below(30)};lot ${noise.below(500)}\n`;
}

// Pieces of about 64 KB, as the packer takes them.
function* list(bales) {
  const noise = new Noise(1789);
  let lines = [];
  for (let number = 0; number < bales; number++) {
    lines.push(line(number, noise));
    if (lines.length === 2000) {
      yield lines.join('');
      lines = [];
    }
  }
  if (lines.length > 0) yield lines.join('');
}

async function pack(bales, file) {
  await pipeline(Readable.from(list(bales)), zlib.createGzip({ level: 6 }), fs.createWriteStream(file));
}

async function check(file) {
  const weights = new Map();
  const hash = createHash('sha256');
  const lines = readline.createInterface({ input: fs.createReadStream(file).pipe(zlib.createGunzip()) });
  let count = 0;
  for await (const text of lines) {
    const [, breed, weight, staple] = text.split(';');
    const sum = weights.get(breed) || { bales: 0, weight: 0, staple: 0 };
    sum.bales += 1;
    sum.weight += Number(weight);
    sum.staple = Math.max(sum.staple, Number(staple));
    weights.set(breed, sum);
    hash.update(text);
    count += 1;
  }
  return { weights, count, seal: hash.digest('hex').slice(0, 12) };
}

function heaviest(weights) {
  let best = ['', { weight: 0 }];
  for (const entry of weights) if (entry[1].weight > best[1].weight) best = entry;
  return best;
}

async function main() {
  const bales = Number(process.argv[2] || 1000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wool-'));
  try {
    const file = path.join(folder, 'sale.gz');
    await pack(bales, file);
    const { weights, count, seal } = await check(file);
    const [breed, sum] = heaviest(weights);
    console.log('bales', count, 'heaviest', breed, sum.weight, 'seal', seal);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

'use strict';
// Presses the diaries of a hazel orchard into one packed file and reads it back for a check.
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { Readable, Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');

const WEATHER = ['dry', 'mist', 'rain', 'frost', 'gale', 'thaw'];

/** The diaries, a few hundred entries at a time. */
function* diaries(days) {
  let state = 1837;
  let page = [];
  for (let day = 0; day < days; day++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const nuts = (state >>> 12) % 900;
    page.push(`${day} ${WEATHER[(state >>> 8) % WEATHER.length]} ${nuts} kg by ${1 + (state % 40)} hands`);
    if (page.length === 800) {
      yield page.join('\n') + '\n';
      page = [];
    }
  }
  if (page.length > 0) yield page.join('\n') + '\n';
}

/** Passes pieces on and keeps a digest of them. */
class Seal extends Transform {
  constructor() {
    super();
    this.hash = crypto.createHash('sha256');
    this.bytes = 0;
  }

  _transform(piece, encoding, done) {
    this.hash.update(piece);
    this.bytes += piece.length;
    done(null, piece);
  }

  mark() {
    return `${this.bytes}/${this.hash.digest('hex').slice(0, 12)}`;
  }
}

/** Counts the harvest by weather. */
class Harvest {
  constructor() {
    this.sums = new Map(WEATHER.map((name) => [name, 0]));
    this.rest = '';
  }

  take(piece) {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop();
    for (const line of lines) {
      const words = line.split(' ', 3);
      this.sums.set(words[1], this.sums.get(words[1]) + Number(words[2]));
    }
  }
}

async function press(file, days) {
  const seal = new Seal();
  await pipeline(Readable.from(diaries(days), { objectMode: true }), seal, zlib.createGzip({ level: 6 }),
    fs.createWriteStream(file));
  return seal.mark();
}

async function unpack(file, harvest) {
  const seal = new Seal();
  await pipeline(fs.createReadStream(file), zlib.createGunzip(), seal, async (pieces) => {
    for await (const piece of pieces) harvest.take(piece.toString('latin1'));
  });
  return seal.mark();
}

async function main() {
  const days = Number(process.argv[2] ?? 4000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hazel-'));
  const file = path.join(folder, 'diaries.gz');
  const harvest = new Harvest();
  const packed = await press(file, days);
  const unpacked = await unpack(file, harvest);
  fs.rmSync(folder, { recursive: true });
  console.log(packed === unpacked ? 'same' : 'differs', packed, JSON.stringify([...harvest.sums]));
}

main();

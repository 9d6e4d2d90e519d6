'use strict';
// Moves a photographer's prints into an archive: squeezes, seals and writes each, a few at a time.

const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const squeeze = promisify(zlib.deflate);
const WIDTH = 640;
const HEIGHT = 420;

// A print as the scanner gives it: soft shapes and some grain.
function scan(number) {
  const pixels = Buffer.allocUnsafe(WIDTH * HEIGHT);
  let grain = (number * 2654435761) >>> 0;
  for (let y = 0; y < HEIGHT; y++) {
    const row = y * WIDTH;
    for (let x = 0; x < WIDTH; x++) {
      grain = (Math.imul(grain, 1664525) + 1013904223) >>> 0;
      pixels[row + x] = ((x * (3 + (number % 5)) + y * 2) >> 3) + (grain >>> 30);
    }
  }
  return pixels;
}

// Neighbours are alike: only the difference to the left one is kept.
function difference(pixels) {
  const out = Buffer.allocUnsafe(pixels.length);
  for (let y = 0; y < HEIGHT; y++) {
    const row = y * WIDTH;
    let left = 0;
    for (let x = 0; x < WIDTH; x++) {
      const value = pixels[row + x];
      out[row + x] = (value - left) & 255;
      left = value;
    }
  }
  return out;
}

function seal(body) {
  return crypto.createHash('sha256').update(body).digest('hex');
}

class Archive {
  constructor(folder) {
    this.folder = folder;
    this.entries = new Map();
    this.bytes = 0;
  }

  async put(number) {
    const pixels = scan(number);
    const body = await squeeze(difference(pixels), { level: 4, chunkSize: 1 << 18 });
    await fs.promises.writeFile(path.join(this.folder, `print-${number}.z`), body);
    this.entries.set(number, seal(pixels));
    this.bytes += pixels.length;
  }

  index() {
    const numbers = [...this.entries.keys()].sort((a, b) => a - b);
    return numbers.map((number) => `${number} ${this.entries.get(number)}\n`).join('');
  }
}

// Four prints are on their way at any time.
async function archiveAll(archive, count) {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      await archive.put(number);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

async function main() {
  const count = Number(process.argv[2] || 150);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'prints-'));
  try {
    const archive = new Archive(folder);
    await archiveAll(archive, count);
    const index = archive.index();
    fs.writeFileSync(path.join(folder, 'index.txt'), index);
    console.log(`${archive.entries.size} prints, ${archive.bytes} bytes, ${seal(index).slice(0, 12)}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

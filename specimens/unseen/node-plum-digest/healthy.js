// Packs a folder of orchard reports: reads each file, packs it in the background and lists what was saved.
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const deflate = promisify(zlib.deflate);
const SORTS = ['greengage', 'damson', 'mirabelle', 'victoria', 'czar'];

function reportText(number) {
  const lines = [];
  let state = number + 9;
  for (let tree = 0; tree < 2600; tree++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    lines.push(`tree ${tree} ${SORTS[(state >>> 10) % SORTS.length]} ${(state >>> 18) % 900} fruits, ${(state >>> 12) % 60} spoiled`);
  }
  return lines.join('\n');
}

async function writeReports(folder, count) {
  const names = [];
  for (let number = 0; number < count; number++) {
    const name = `report-${String(number).padStart(4, '0')}.txt`;
    await fs.writeFile(path.join(folder, name), reportText(number));
    names.push(name);
  }
  return names;
}

class Packer {
  constructor(folder) {
    this.folder = folder;
    this.entries = [];
    this.fruits = new Map();
  }

  count(text) {
    for (const line of text.split('\n')) {
      const [, , sort, fruits] = line.split(' ');
      this.fruits.set(sort, (this.fruits.get(sort) ?? 0) + Number(fruits));
    }
  }

  async pack(name) {
    const data = await fs.readFile(path.join(this.folder, name));
    const packing = deflate(data, { level: 7 });
    this.count(data.toString('latin1'));
    const packed = await packing;
    const digest = crypto.createHash('sha256').update(packed).digest('hex');
    this.entries.push({ name, from: data.length, to: packed.length, digest });
  }

  async packAll(names, lanes) {
    const queue = names.values();
    const lane = async () => {
      for (const name of queue) await this.pack(name);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    this.entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  list() {
    return this.entries.map((entry) => `${entry.name} ${entry.from} ${entry.to} ${entry.digest}`).join('\n');
  }
}

async function main() {
  const count = Number(process.argv[2] ?? 10);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'plums-'));
  try {
    const packer = new Packer(folder);
    await packer.packAll(await writeReports(folder, count), 4);
    const list = packer.list();
    await fs.writeFile(path.join(folder, 'list.txt'), list);
    const seal = crypto.createHash('sha1').update(list).digest('hex');
    console.log(`reports ${packer.entries.length} sorts ${packer.fruits.size} czar ${packer.fruits.get('czar')} seal ${seal.slice(0, 16)}`);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

main();

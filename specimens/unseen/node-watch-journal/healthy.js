#!/usr/bin/env node
'use strict';
// Night watch: rounds of the guards arrive in packs and go into a journal that must survive a power cut.

const { open, mkdtemp, rm, readFile } = require('node:fs/promises');
const { createHash } = require('node:crypto');
const path = require('node:path');
const os = require('node:os');

const GATES = ['north', 'mill', 'river', 'tower'];

async function* patrols(packs) {
  for (let pack = 0; pack < packs; pack++) {
    const rounds = [];
    for (let guard = 0; guard < 25; guard++) {
      rounds.push({ pack, guard, gate: GATES[(pack * guard) % GATES.length], lamp: (pack * 31 + guard * 17) % 100 });
    }
    yield rounds;
  }
}

const seal = (text) => {
  let digest = text;
  for (let turn = 0; turn < 40; turn++) digest = createHash('sha1').update(digest).digest('hex');
  return digest.slice(0, 8);
};

class Journal {
  #file;
  #entries = 0;

  static async open(name) {
    const journal = new Journal();
    journal.#file = await open(name, 'a');
    return journal;
  }

  async #put(round) {
    const text = JSON.stringify(round);
    await this.#file.appendFile(`${text}\t${seal(text)}\n`);
    this.#entries++;
  }

  /** Resolves when the whole pack is safe. */
  async save(rounds) {
    for (const round of rounds) {
      await this.#put(round);
    }
    await this.#file.datasync();
  }

  async close() {
    await this.#file.close();
    return this.#entries;
  }
}

async function audit(name) {
  const lines = (await readFile(name, 'utf8')).trimEnd().split('\n');
  const dark = lines.filter((line) => JSON.parse(line.split('\t')[0]).lamp < 20).length;
  return { lines: lines.length, dark, sum: createHash('md5').update(lines.join('')).digest('hex') };
}

async function main() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'watch-'));
  const name = path.join(folder, 'journal');
  try {
    const journal = await Journal.open(name);
    for await (const rounds of patrols(Number(process.argv[2] ?? 5))) await journal.save(rounds);
    const entries = await journal.close();
    console.log(entries, JSON.stringify(await audit(name)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

main();

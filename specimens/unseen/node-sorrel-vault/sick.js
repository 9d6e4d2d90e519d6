'use strict';
// Makes the inventory of a vault of documents: kinds, sizes, marks and doubles.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');

const KINDS = ['deed', 'lease', 'letter', 'will'];

/** Writes the documents of the vault. */
function fill(folder, count) {
  for (let n = 0; n < count; n++) {
    const kind = KINDS[n % KINDS.length];
    const lines = [];
    for (let line = 0; line < 60 + (n % 40); line++) {
      lines.push(`${kind} ${(n * 7) % 300} clause ${line}: the party of ${(line * 13 + (n % 300)) % 97} agrees`);
    }
    fs.writeFileSync(path.join(folder, `${kind}-${String(n).padStart(5, '0')}.txt`), lines.join('\n'));
  }
}

/** The mark of one document, as the archive prints it. */
function markOf(file) {
  const answer = execFileSync('md5sum', [file], { encoding: 'utf8' });
  return answer.slice(0, 32);
}

/** The words of a document, counted. */
function wordsOf(text) {
  const words = new Map();
  for (const word of text.split(/\W+/)) {
    if (word) words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words;
}

class Inventory {
  constructor() {
    this.marks = new Map();
    this.sizes = new Map();
    this.words = new Map();
  }

  enter(file) {
    const kind = path.basename(file).split('-')[0];
    const { size } = fs.statSync(file);
    this.sizes.set(kind, (this.sizes.get(kind) ?? 0) + size);
    for (const [word, times] of wordsOf(fs.readFileSync(file, 'utf8'))) {
      this.words.set(word, (this.words.get(word) ?? 0) + times);
    }
    const mark = markOf(file);
    const same = this.marks.get(mark);
    if (same) same.push(file);
    else this.marks.set(mark, [file]);
  }

  doubles() {
    let count = 0;
    for (const files of this.marks.values()) count += files.length - 1;
    return count;
  }

  seal() {
    const all = [...this.marks.keys()].sort().join('');
    return createHash('sha256').update(all).digest('hex').slice(0, 12);
  }
}

function main() {
  const count = Number(process.argv[2]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vault-'));
  try {
    fill(folder, count);
    const inventory = new Inventory();
    for (const name of fs.readdirSync(folder).sort()) {
      inventory.enter(path.join(folder, name));
    }
    const bytes = [...inventory.sizes.values()].reduce((a, b) => a + b, 0);
    const words = inventory.words.size;
    console.log(`${count} documents, ${bytes} bytes, ${words} words, ${inventory.doubles()} doubles, ${inventory.seal()}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

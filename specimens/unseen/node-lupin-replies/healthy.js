'use strict';
// Lupin replies: cleans the posts of a gardening forum, counts the words and keeps a digest of each thread.
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Dice {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  upTo(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }
}

const WORDS = ['lupin', 'seed', 'slug', 'compost', 'shade', 'frost', 'trellis', 'bloom', 'root'];

function sentence(dice) {
  const parts = [];
  for (let left = 8 + dice.upTo(12); left > 0; left--) {
    parts.push(WORDS[dice.upTo(WORDS.length)]);
  }
  return parts.join(' ');
}

function post(dice, number) {
  const lines = [];
  for (let left = 12 + dice.upTo(10); left > 0; left--) {
    const line = sentence(dice);
    switch (dice.upTo(6)) {
      case 0:
        lines.push('> ' + line + '   ');
        break;
      case 1:
        lines.push(line + '\t\t');
        break;
      default:
        lines.push(line);
    }
  }
  if (number % 40 === 7) {
    lines.push('-- table' + ' '.repeat(9000 + dice.upTo(2000)) + '|');
  }
  return lines.join('\n');
}

function writeForum(file, count) {
  const dice = new Dice(19);
  const posts = [];
  for (let number = 0; number < count; number++) {
    posts.push({ number, thread: dice.upTo(30), text: post(dice, number) });
  }
  fs.writeFileSync(file, posts.map((entry) => JSON.stringify(entry)).join('\n'));
}

function tail(line) {
  return line.trimEnd();
}

class Cleaner {
  constructor() {
    this.steps = [
      (line) => line.replace(/^>\s?/, ''),
      (line) => line.replace(/\b(slug|frost)s?\b/g, '*$1*'),
      tail,
    ];
  }

  line(text) {
    return this.steps.reduce((line, step) => step(line), text);
  }

  post(text) {
    return text.split('\n').map((line) => this.line(line)).join('\n');
  }
}

class Digest {
  constructor() {
    this.threads = new Map();
    this.words = new Map();
  }

  add(thread, text) {
    let hash = this.threads.get(thread);
    if (!hash) {
      hash = crypto.createHash('sha256');
      this.threads.set(thread, hash);
    }
    hash.update(text);
    for (const [word] of text.matchAll(/[a-z]+/g)) {
      this.words.set(word, (this.words.get(word) || 0) + 1);
    }
  }

  close() {
    const all = crypto.createHash('sha256');
    for (const thread of [...this.threads.keys()].sort((a, b) => a - b)) {
      all.update(this.threads.get(thread).digest());
    }
    let words = 0;
    for (const count of this.words.values()) {
      words += count;
    }
    return { words, mark: all.digest('hex').slice(0, 16) };
  }
}

function main() {
  const count = Number(process.argv[2] || 400);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lupin-'));
  const file = path.join(folder, 'forum.jsonl');
  writeForum(file, count);
  const cleaner = new Cleaner();
  const digest = new Digest();
  for (const row of fs.readFileSync(file, 'utf8').split('\n')) {
    const entry = JSON.parse(row);
    digest.add(entry.thread, cleaner.post(entry.text));
  }
  fs.rmSync(folder, { recursive: true });
  const { words, mark } = digest.close();
  console.log(`posts ${count} threads ${digest.threads.size} words ${words} mark ${mark}`);
}

main();

'use strict';
// Imports wiki pages: cleans the text, collects links, builds an index of who points to whom.

const { performance } = require('node:perf_hooks');

const LINK = /\[\[([^\]|]{1,80})(?:\|([^\]]{0,80}))?\]\]/g;
const HEADING = /^(={2,4}) ([^=\n]+) \1$/gm;

const WORDS = 'river valley north mill bridge station tower abbey market hill forest harbour lake road'.split(' ');

function page(number) {
  const lines = [];
  for (let n = 0; n < 160; n++) {
    const words = [];
    for (let k = 0; k < 9; k++) words.push(WORDS[(number * 13 + n * 7 + k * k) % WORDS.length]);
    if (n % 5 === 0) words.splice(4, 0, `[[${WORDS[n % 14]} ${(number + n) % 30}|${WORDS[(n + 3) % 14]}]]`);
    if (n % 20 === 0) lines.push(`== ${words[0]} ==`);
    lines.push(words.join(' '));
  }
  // A table that an editor lined up with blanks.
  const wide = ' '.repeat(4500 + (number % 7) * 60);
  lines.push(`| name${wide}| height`);
  lines.push(`| ${WORDS[number % 14]}${wide}| ${number * 3}`);
  return { title: `${WORDS[number % 14]} ${number}`, text: lines.join('\n') };
}

function trimTail(text) {
  return text.replace(/\s+$/, '');
}

function clean(text) {
  return trimTail(text).replace(/\t/g, ' ').normalize('NFC');
}

function links(text) {
  const found = [];
  for (const [, target, label] of text.matchAll(LINK)) found.push({ target, label: label || target });
  return found;
}

function headings(text) {
  return [...text.matchAll(HEADING)].map((match) => match[2]);
}

class Index {
  constructor() {
    this.pointers = new Map();
    this.sections = 0;
    this.size = 0;
  }

  add(title, text) {
    this.size += text.length;
    this.sections += headings(text).length;
    for (const { target } of links(text)) {
      const sources = this.pointers.get(target) || new Set();
      sources.add(title);
      this.pointers.set(target, sources);
    }
  }

  top(count) {
    return [...this.pointers].map(([target, sources]) => [sources.size, target]).sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? -1 : 1)).slice(0, count);
  }
}

function importPage(index, number) {
  const { title, text } = page(number);
  index.add(title, clean(text));
}

function main() {
  const count = Number(process.argv[2] || 4);
  const began = performance.now();
  const index = new Index();
  for (let number = 0; number < count; number++) importPage(index, number);
  if (process.env.VERBOSE) console.error('took', performance.now() - began);
  console.log('pages', count, 'size', index.size, 'sections', index.sections, 'targets', index.pointers.size, 'top', index.top(2).flat().join(' '));
}

main();

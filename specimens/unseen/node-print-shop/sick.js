// Proofs the pages of a print job: writes each page and notes its check sum.
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const WORDS = ['the', 'press', 'stands', 'in', 'a', 'low', 'room', 'under', 'old', 'beams'];

function compose(number) {
  let state = number + 7;
  const lines = [];
  for (let row = 0; row < 40; row += 1) {
    const line = [];
    for (let column = 0; column < 10; column += 1) {
      state = (Math.imul(state, 69069) + 1) >>> 0;
      line.push(WORDS[(state >>> 16) % WORDS.length]);
    }
    lines.push(line.join(' '));
  }
  return `${number}\n${lines.join('\n')}\n`;
}

function margins(text) {
  let widest = 0;
  for (const line of text.split('\n')) {
    let width = 0;
    for (let at = 0; at < line.length; at += 1) width += line.charCodeAt(at) % 7;
    widest = Math.max(widest, width);
  }
  return widest;
}

class Job {
  constructor(folder, pages) {
    this.folder = folder;
    this.pages = [];
    this.widest = 0;
    for (let number = 0; number < pages; number += 1) {
      const text = compose(number);
      const file = path.join(folder, `page-${number}.txt`);
      fs.writeFileSync(file, text);
      this.widest = Math.max(this.widest, margins(text));
      this.pages.push(file);
    }
  }
}

function checkSum(file) {
  const out = execFileSync('cksum', [file], { encoding: 'utf8' });
  return Number(out.split(' ')[0]);
}

function proof(file, book) {
  const sum = checkSum(file);
  book.sums += sum;
  if (sum % 2 === 1) book.odd += 1;
}

function proofAll(job) {
  const book = { sums: 0, odd: 0 };
  for (const file of job.pages) proof(file, book);
  return book;
}

function main() {
  const pages = Number(process.argv[2] || 20);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'print-'));
  const job = new Job(folder, pages);
  const book = proofAll(job);
  fs.rmSync(folder, { recursive: true });
  console.log(`${pages} pages, widest ${job.widest}, odd ${book.odd}, sums ${book.sums}`);
}

main();

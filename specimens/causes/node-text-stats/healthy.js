'use strict';
// Writes the pages of a handbook, counts their lines with wc and seals the list.

const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');

const TOPICS = ['install', 'upgrade', 'backup', 'restore', 'network', 'printing', 'users', 'mail'];

function page(number) {
  const lines = [`# ${TOPICS[number % TOPICS.length]} ${number}`];
  for (let step = 0; step < 20 + ((number * 13) % 40); step += 1) {
    lines.push(`${step}. turn knob ${(step * number) % 17} to position ${(step + number) % 9}`);
  }
  return `${lines.join('\n')}\n`;
}

function writePages(folder, count) {
  const files = [];
  for (let number = 0; number < count; number += 1) {
    const file = path.join(folder, `page-${String(number).padStart(4, '0')}.md`);
    fs.writeFileSync(file, page(number));
    files.push(file);
  }
  return files;
}

function tool(name, args) {
  return execFileSync(name, args, { encoding: 'utf8' });
}

function inspect(files) {
  const rows = tool('wc', ['-l', ...files]).trim().split('\n').slice(0, files.length);
  return rows.map((row) => {
    const [lines, file] = row.trim().split(' ');
    return { name: path.basename(file), lines: Number(lines) };
  });
}

function contents(entries) {
  let first = 1;
  return entries.map((entry) => {
    const line = `${entry.name} ${first}-${first + entry.lines - 1}`;
    first += entry.lines;
    return line;
  });
}

function seal(text) {
  return crypto.scryptSync(text, 'handbook', 24, { N: 1 << 14, r: 8, p: 3 }).toString('hex');
}

function main() {
  const count = Number(process.argv[2] || 300);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'handbook-'));
  try {
    const entries = inspect(writePages(folder, count));
    const list = contents(entries);
    console.log('pages', entries.length, 'lines', entries.reduce((sum, entry) => sum + entry.lines, 0));
    console.log(list[list.length - 1]);
    console.log(seal(list.join('\n')));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

// Compares two drafts of a text, of which an editor has rewritten nearly every word.
'use strict';
const { diffWords } = require('diff');

const WORDS = ['river', 'stone', 'lamp', 'winter', 'paper', 'garden', 'bread', 'window', 'letter', 'harbour', 'cloud'];

function draft(words, seed) {
  const text = [];
  let state = seed;
  for (let at = 0; at < words; at += 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    text.push(`${WORDS[(state >> 8) % WORDS.length]}${(state >> 16) % 23}`);
  }
  return text.join(' ');
}

function changed(words) {
  const parts = diffWords(draft(words, 3), draft(words, 11));
  const added = parts.filter((part) => part.added).length;
  const removed = parts.filter((part) => part.removed).length;
  return added > 0 && removed > 0 ? parts.map((part) => (part.removed ? '' : part.value)).join('').length : 0;
}

console.log(changed(Number(process.argv[2])));

// Cuts the notes of an old till, which come in columns of fixed width, for a database field of 4000 characters.
'use strict';
const wrap = require('word-wrap');

const FIELD = { width: 4000, indent: '', newline: '\n', trim: true };

function column(text, width) {
  return text.padEnd(width, ' ');
}

function note(number) {
  const head = column(`Receipt ${number}`, 3600) + `till ${number % 7}`;
  const lines = [head];
  for (let item = 0; item < 6; item += 1) {
    lines.push(column(`Item ${item}`, 40) + column(`${(number * item) % 90} EUR`, 20) + 'paid in cash');
  }
  return lines.join('\n');
}

function pieces(number) {
  return wrap(note(number), FIELD).split('\n');
}

function main(notes) {
  let longest = 0;
  let total = 0;
  for (let number = 0; number < notes; number += 1) {
    for (const piece of pieces(number)) {
      longest = Math.max(longest, piece.length);
      total += 1;
    }
  }
  console.log(total, longest);
}

main(Number(process.argv[2]));

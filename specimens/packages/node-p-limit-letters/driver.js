// Makes a short text from every letter of an archive, a few at a time.
'use strict';
const { promisify } = require('util');
const pLimit = require('p-limit');
const turn = promisify(setImmediate);

function letters(count) {
  return Array.from({ length: count }, (_, number) => ({ id: number, text: `Dear reader ${number}, thank you for writing` }));
}

async function shorten(letter) {
  if (letter.id % 50 === 0) await turn();
  return letter.text.slice(5, 20);
}

async function main(count) {
  const limit = pLimit(8);
  const short = await Promise.all(letters(count).map((letter) => limit(() => shorten(letter))));
  console.log(short.length, short.join('').length);
}

main(Number(process.argv[2]));

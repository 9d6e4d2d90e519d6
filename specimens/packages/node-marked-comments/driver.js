// Renders the comments below an article; some readers line up their sources in columns.
'use strict';
const { marked } = require('marked');

const SOURCES = ['almanac', 'gazette', 'herald', 'journal', 'tribune'];

function comment(number) {
  const source = SOURCES[number % SOURCES.length];
  const gap = ' '.repeat(400 + (number % 7));
  if (number % 4 === 0) {
    return `I read it in the ${source}, see below.\n\n[${number}]:${gap}${source} ${gap} page ${number}\n`;
  }
  return `*Thank you*, the ${source} said **the same** on page [${number}](https://example.org/${number}).\n`;
}

function render(count) {
  let length = 0;
  for (let number = 0; number < count; number += 1) {
    length += marked.parse(comment(number)).length;
  }
  return length;
}

console.log(render(Number(process.argv[2])));

// Reads the dates of scanned letters; some lines are noise from the scanner.
'use strict';
const moment = require('moment');

moment.suppressDeprecationWarnings = true;

function lines(count) {
  const lines = [];
  for (let number = 0; number < count; number += 1) {
    lines.push(number % 50 === 0 ? '('.repeat(20000) : `Mon, 0${1 + (number % 9)} Feb 2021 10:20:${10 + (number % 50)} GMT`);
  }
  return lines;
}

function readAll(lines) {
  let valid = 0;
  for (const line of lines) {
    if (moment(line).isValid()) valid += 1;
  }
  return valid;
}

console.log(readAll(lines(Number(process.argv[2]))));

// Prints how many meetings begin before noon in the office's time zone.
'use strict';
const dayjs = require('dayjs');
dayjs.extend(require('dayjs/plugin/utc'));
dayjs.extend(require('dayjs/plugin/timezone'));

function meetings(count) {
  const meetings = [];
  for (let number = 0; number < count; number += 1) {
    const day = String(1 + (number % 28)).padStart(2, '0');
    const hour = String(number % 24).padStart(2, '0');
    meetings.push(`2020-06-${day} ${hour}:15`);
  }
  return meetings;
}

function early(meetings) {
  let early = 0;
  for (const text of meetings) {
    if (dayjs.tz(text, 'Europe/London').hour() < 12) early += 1;
  }
  return early;
}

console.log(early(meetings(Number(process.argv[2]))));

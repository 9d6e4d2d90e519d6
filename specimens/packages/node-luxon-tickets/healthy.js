// Reads the times printed on a railway's tickets and counts those of the morning.
'use strict';
const { DateTime } = require('luxon');

const STAMP = "d LLLL yyyy 'at' h:mm:ss a";
const MONTHS = ['January', 'March', 'May', 'July', 'August', 'October', 'December'];

function two(number) {
  return String(number).padStart(2, '0');
}

function tickets(count) {
  return Array.from({ length: count }, (_, at) =>
    `${at % 28 + 1} ${MONTHS[at % 7]} 2023 at ${at % 12 + 1}:${two(at * 13 % 60)}:${two(at * 29 % 60)} ${at % 3 ? 'PM' : 'AM'}`);
}

function read(stamps) {
  const times = [];
  const parser = DateTime.buildFormatParser(STAMP, { locale: 'en' });
  for (const stamp of stamps) {
    times.push(DateTime.fromFormatParser(stamp, parser, { zone: 'utc', locale: 'en' }));
  }
  return times;
}

const times = read(tickets(Number(process.argv[2])));
const morning = times.filter((time) => time.isValid && time.hour < 12);
console.log(times.length, morning.length, times.reduce((sum, time) => sum + time.second, 0));

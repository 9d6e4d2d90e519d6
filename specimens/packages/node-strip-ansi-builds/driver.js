// Puts the terminal output of nightly builds into plain text: colours and broken sequences go, the lines are counted.
'use strict';
const stripAnsi = require('strip-ansi');

const ESC = '\u001B';

function ruler(width) {
  return `${ESC}[${';'.repeat(width)}`;
}

function line(build, number) {
  const colour = 31 + (number % 6);
  return `${ESC}[${colour};1mstep ${number}${ESC}[0m of build ${build} took ${(number * 37) % 400} ms`;
}

function output(build, lines, width) {
  const text = Array.from({ length: lines }, (_, number) => line(build, number));
  text.splice(lines / 2, 0, ruler(width));
  return text.join('\n');
}

function plain(text) {
  return stripAnsi(text).split('\n');
}

function main(builds) {
  let lines = 0;
  let longest = 0;
  for (let build = 0; build < builds; build += 1) {
    const found = plain(output(build, 400, 6000)).filter((entry) => entry.startsWith('step'));
    lines += found.length;
    for (const entry of found) longest = Math.max(longest, Number(entry.match(/took (\d+) ms/)[1]));
  }
  console.log(`${builds} builds, ${lines} steps, longest ${longest} ms`);
}

main(Number(process.argv[2]));

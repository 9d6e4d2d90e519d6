// Asks for the facts of each folder with a command.
'use strict';
const { execSync } = require('child_process');

function sizes(folders) {
  let lines = 0;
  for (const folder of folders) {
    lines += execSync(`ls -d ${folder}`, { encoding: 'utf8' }).split('\n').length - 1;
  }
  return lines;
}

const folders = ['/', '/usr', '/etc', '/tmp', '/dev'];
const asked = Number(process.argv[2]);
console.log(sizes(Array.from({ length: asked }, (_, at) => folders[at % folders.length])));

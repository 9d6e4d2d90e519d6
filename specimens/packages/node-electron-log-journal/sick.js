// Copies a folder of pictures in memory and keeps a journal of what was done to each.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const log = require('electron-log/node');

function journal(file) {
  log.transports.console.level = false;
  log.transports.file.setAppName('pictures');
  log.transports.file.resolvePathFn = () => file;
  log.transports.file.maxSize = 0;
  log.transports.file.format = ({ data }) => data;
  return log;
}

function picture(number) {
  return { name: `IMG_${number}.jpg`, bytes: ((number * 7919) % 4000) + 100 };
}

function copyAll(diary, count) {
  let bytes = 0;
  for (let number = 0; number < count; number += 1) {
    const { name, bytes: size } = picture(number);
    diary.info(`copied ${name}, ${size} bytes`);
    bytes += size;
  }
  return bytes;
}

function main(count) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pictures-'));
  const file = path.join(folder, 'copy.log');
  const bytes = copyAll(journal(file), count);
  process.on('exit', () => {
    console.log(bytes, fs.readFileSync(file, 'utf8').split('\n').length - 1);
    fs.rmSync(folder, { recursive: true });
  });
}

main(Number(process.argv[2]));

// Binds the chapters of a photo album, each as soon as the renderer has put it into the folder.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const waitOn = require('wait-on');

function render(file, chapter) {
  const pages = Array.from({ length: 40 }, (_, page) => `chapter ${chapter} page ${page} ${'*'.repeat((chapter * page) % 60)}`);
  fs.writeFile(file, pages.join('\n'), (error) => {
    if (error) throw error;
  });
}

function ready(file) {
  return waitOn({ resources: [`file:${file}`], interval: 10, window: 20, timeout: 20000 });
}

function bind(album, file) {
  album.push(...fs.readFileSync(file, 'utf8').split('\n'));
}

async function publish(folder, chapters) {
  const album = [];
  for (let chapter = 0; chapter < chapters; chapter += 1) {
    const file = path.join(folder, `chapter-${chapter}.txt`);
    render(file, chapter);
    await ready(file);
    bind(album, file);
  }
  return album.length;
}

async function main(chapters) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'album-'));
  console.log(await publish(folder, chapters));
  fs.rmSync(folder, { recursive: true });
}

main(Number(process.argv[2]));

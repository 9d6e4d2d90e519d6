// Checks the drawings of some workshops against the tolerances that the nearest settings above each drawing allow.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { cosmiconfigSync } = require('cosmiconfig');

function archive(workshops, drawings) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'drawings-'));
  fs.writeFileSync(path.join(root, '.drawingrc.json'), JSON.stringify({ tolerance: 0.4, unit: 'mm' }));
  for (let workshop = 0; workshop < workshops; workshop += 1) {
    fs.mkdirSync(path.join(root, `workshop-${workshop}`, 'orders', 'open', 'parts'), { recursive: true });
  }
  const files = [];
  for (let drawing = 0; drawing < drawings; drawing += 1) {
    const folder = path.join(root, `workshop-${drawing % workshops}`, 'orders', 'open', 'parts');
    files.push({ file: path.join(folder, `part-${drawing}.dxf`), gap: (drawing % 80) / 100 });
  }
  return { root, files };
}

const explorer = cosmiconfigSync('drawing');

function settings(file) {
  const found = explorer.search(path.dirname(file));
  return found.config;
}

function check(files) {
  const verdicts = { fits: 0, loose: 0 };
  for (const { file, gap } of files) {
    const { tolerance } = settings(file);
    verdicts[gap <= tolerance ? 'fits' : 'loose'] += 1;
  }
  return verdicts;
}

function main(workshops, drawings) {
  const { root, files } = archive(workshops, drawings);
  console.log(JSON.stringify(check(files)));
  fs.rmSync(root, { recursive: true });
}

main(Number(process.argv[2]), Number(process.argv[3]));

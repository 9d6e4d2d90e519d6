// Cuts the scanned sheets of a seed catalogue into its plates and notes the colour that each plate shows most of.
'use strict';
const Jimp = require('jimp');

const COLOURS = [0xd7263dff, 0xf46036ff, 0x2e294eff, 0x1b998bff, 0xc5d86dff];

function scan(side) {
  const sheet = new Jimp(side, side, 0xffffffff);
  for (let y = 0; y < side; y += 16) {
    for (let x = 0; x < side; x += 16) {
      sheet.setPixelColor(COLOURS[((x >> 7) + (y >> 6)) % COLOURS.length], x, y);
    }
  }
  return sheet;
}

function cut(sheet, x, y, size) {
  return new Jimp(size, size).blit(sheet, 0, 0, x, y, size, size);
}

function strongest(plate) {
  const seen = new Map();
  for (let y = 0; y < plate.bitmap.height; y += 8) {
    for (let x = 0; x < plate.bitmap.width; x += 8) {
      const colour = plate.getPixelColor(x, y);
      if (colour !== 0xffffffff) seen.set(colour, (seen.get(colour) || 0) + 1);
    }
  }
  return [...seen].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0][0];
}

function catalogue(sheet, size) {
  const plates = [];
  for (let y = 0; y + size <= sheet.bitmap.height; y += size) {
    for (let x = 0; x + size <= sheet.bitmap.width; x += size) {
      plates.push(strongest(cut(sheet, x, y, size)).toString(16));
    }
  }
  return plates;
}

function main(side, size) {
  const plates = catalogue(scan(side), size);
  console.log(plates.length, plates[0], plates[plates.length - 1], new Set(plates).size);
}

main(Number(process.argv[2]), Number(process.argv[3]));

'use strict';
const workerpool = require('workerpool');

function makeImage(number, size) {
  const pixels = new Array(size * size);
  for (let n = 0; n < pixels.length; n++) pixels[n] = (n * 31 + number * 17) % 256;
  return pixels;
}

function shrink(pixels, size) {
  const half = size / 2;
  const small = new Array(half * half);
  for (let y = 0; y < half; y++) {
    for (let x = 0; x < half; x++) {
      const at = 2 * y * size + 2 * x;
      small[y * half + x] = (pixels[at] + pixels[at + 1] + pixels[at + size] + pixels[at + size + 1]) >> 2;
    }
  }
  return small;
}

function thumbnail(pool, pixels, size) {
  return pool.exec(shrink, [pixels, size]);
}

async function makeGallery(count, size) {
  const pool = workerpool.pool({ maxWorkers: 1, workerType: 'thread' });
  let brightness = 0;
  try {
    for (let number = 0; number < count; number++) {
      const small = await thumbnail(pool, makeImage(number, size), size);
      brightness += small.reduce((sum, pixel) => sum + pixel, 0) / small.length;
    }
  } finally {
    await pool.terminate();
  }
  return brightness / count;
}

async function main() {
  const count = Number(process.argv[2]);
  const brightness = await makeGallery(count, 32);
  console.log(`images=${count} brightness=${brightness.toFixed(3)}`);
}

main();

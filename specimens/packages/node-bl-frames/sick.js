'use strict';
const { Readable } = require('stream');
const BufferListStream = require('bl');

const FRAME = 120;

function* chunks(count) {
  const perChunk = 512;
  for (let start = 0; start < count; start += perChunk) {
    const size = Math.min(perChunk, count - start);
    const chunk = Buffer.alloc(size * FRAME, 'm');
    for (let n = 0; n < size; n++) {
      chunk.writeUInt32BE(FRAME, n * FRAME);
      chunk.writeUInt32BE((start + n) * 7 % 5003, n * FRAME + 4);
    }
    yield chunk;
  }
}

function receive(count) {
  return new Promise((resolve, reject) => {
    const upload = new BufferListStream((err) => (err ? reject(err) : resolve(upload)));
    Readable.from(chunks(count)).pipe(upload);
  });
}

function decodeFrame(bytes) {
  const size = bytes.readUInt32BE(0);
  return { size, value: bytes.readUInt32BE(4), label: bytes.toString('latin1', 8, size) };
}

function readFrames(upload) {
  const stats = { frames: 0, sum: 0, text: 0 };
  while (upload.length >= 4) {
    const frame = decodeFrame(upload.slice());
    stats.frames += 1;
    stats.sum += frame.value;
    stats.text += frame.label.length;
    upload.consume(frame.size);
  }
  return stats;
}

async function main() {
  const upload = await receive(Number(process.argv[2]));
  const stats = readFrames(upload);
  console.log(`frames=${stats.frames} sum=${stats.sum} text=${stats.text}`);
}

main();

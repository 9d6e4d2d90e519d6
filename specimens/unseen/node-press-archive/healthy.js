'use strict';
// Puts the editions of a newspaper into an archive: pages stream through the packer into a digest and a counter.
const { createBrotliCompress, constants } = require('node:zlib');
const { createHash } = require('node:crypto');
const { pipeline } = require('node:stream/promises');
const { Readable, Writable } = require('node:stream');

const WORDS = ('harbour council weather market wool strike opening bridge verdict season concert ferry rates ' +
  'election coal flood mayor theatre wheat railway inquest regatta').split(' ');

function* pages(count) {
  let state = 42;
  for (let page = 0; page < count; page++) {
    const columns = [];
    for (let line = 0; line < 600; line++) {
      const words = [];
      for (let place = 0; place < 9; place++) {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        words.push(WORDS[(state >>> 16) % WORDS.length]);
      }
      columns.push(words.join(' '));
    }
    yield Buffer.from(`page ${page}\n${columns.join('\n')}\n`);
  }
}

class Shelf extends Writable {
  bytes = 0;
  digest = createHash('sha256');

  _write(chunk, encoding, done) {
    this.bytes += chunk.length;
    this.digest.update(chunk);
    done();
  }
}

async function archive(count) {
  const packer = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  const shelf = new Shelf();
  await pipeline(Readable.from(pages(count), { objectMode: false }), packer, shelf);
  return `${shelf.bytes} bytes ${shelf.digest.digest('hex').slice(0, 16)}`;
}

archive(Number(process.argv[2] || 10)).then((line) => console.log('archive', line));

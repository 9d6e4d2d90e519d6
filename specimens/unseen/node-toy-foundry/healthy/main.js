'use strict';
// Command line tool of a toy foundry: prints the price labels of one series.

const path = require('path');
const util = require('util');
const zlib = require('zlib');
const { checkers } = require('./lib/checkers');
const { parts } = require('./lib/series');

function usage() {
  console.error(`usage: ${path.basename(__filename)} SERIES [COUNT]`);
  process.exit(2);
}

function label(part, errors) {
  const flag = errors.length ? `! ${errors.join(',')}` : 'ok';
  return util.format('%s %d g %s', part.name, part.weight, flag);
}

function main([series, count]) {
  if (!series || !checkers.has(series)) usage();
  const check = checkers.get(series);
  const labels = [];
  for (const part of parts(series, Number(count || 100))) labels.push(label(part, check(part)));
  const sheet = zlib.deflateSync(labels.join('\n'));
  console.log(series, labels.length, 'sheet', sheet.length, labels[labels.length - 1]);
}

main(process.argv.slice(2));

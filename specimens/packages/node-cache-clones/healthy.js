// Serves prices from a catalogue that is kept in a cache.
'use strict';
const NodeCache = require('node-cache');

function catalogue(size) {
  const items = [];
  for (let id = 0; id < size; id += 1) {
    items.push({ id, name: `item ${id}`, prices: { net: id * 3, gross: id * 4 }, tags: ['a', 'b', `t${id % 9}`] });
  }
  return items;
}

function price(cache, id) {
  return cache.get('catalogue')[id].prices.gross;
}

function serve(requests) {
  const cache = new NodeCache({ stdTTL: 600, useClones: false });
  cache.set('catalogue', catalogue(2000));
  let total = 0;
  for (let request = 0; request < requests; request += 1) {
    total += price(cache, (request * 37) % 2000);
  }
  cache.close();
  return total;
}

console.log(serve(Number(process.argv[2])));

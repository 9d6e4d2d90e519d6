// Sorts the addresses in the log of a climbing guide by the pages they ask for.
'use strict';
const pathToRegexp = require('path-to-regexp');

const PAGES = [
  ['region', '/regions/:region'],
  ['crag', '/regions/:region/crags/:crag'],
  ['route', '/routes/:from-:to'],
  ['photo', '/photos/:year/:number.:format'],
  ['climber', '/climbers/:name/routes'],
];

function router(pages) {
  return pages.map(([name, pattern]) => {
    const keys = [];
    return { name, keys, pattern: pathToRegexp(pattern, keys) };
  });
}

function slug(number, words) {
  const parts = ['edge', 'corner', 'slab', 'a', 'roof', 'b', 'arete', 'crack'];
  return Array.from({ length: words }, (_, at) => parts[(number + at) % parts.length]).join('-');
}

function addresses(count) {
  const list = [];
  for (let number = 0; number < count; number += 1) {
    list.push(`/regions/r${number % 40}`);
    list.push(`/regions/r${number % 40}/crags/${slug(number, 3)}`);
    list.push(`/routes/start${number}-top${number % 9}`);
    list.push(`/photos/${1990 + (number % 30)}/${number}.jpg`);
    list.push(`/routes/${slug(number, 900)}/print/`);
  }
  return list;
}

function page(routes, address) {
  for (const route of routes) {
    const found = route.pattern.exec(address);
    if (found) {
      return { name: route.name, values: found.slice(1, route.keys.length + 1) };
    }
  }
  return { name: 'unknown', values: [] };
}

function count(routes, log) {
  const pages = new Map();
  for (const address of log) {
    const { name } = page(routes, address);
    pages.set(name, (pages.get(name) || 0) + 1);
  }
  return pages;
}

function main(lines) {
  const pages = count(router(PAGES), addresses(lines));
  console.log([...pages].sort().map(([name, hits]) => `${name} ${hits}`).join(', '));
}

main(Number(process.argv[2]));

// A proxy looks at the answers of the sites behind it and notes which of them it may keep, and for how long.
'use strict';
const CachePolicy = require('http-cache-semantics');

function answers(count) {
  return Array.from({ length: count }, (_, at) => {
    const gap = ' '.repeat(at % 10 === 0 ? 12000 : 1);
    return { url: `/page/${at}`, control: `public, max-age=${60 + (at % 50)}, note="page${gap}${at}"` };
  });
}

function policy({ url, control }) {
  const request = { url, method: 'GET', headers: { host: 'site.test' } };
  const response = { status: 200, headers: { date: 'Tue, 01 Aug 2023 10:00:00 GMT', 'cache-control': control } };
  return new CachePolicy(request, response);
}

function sort(answers) {
  let kept = 0;
  let seconds = 0;
  for (const answer of answers) {
    const found = policy(answer);
    if (!found.storable()) continue;
    kept += 1;
    seconds += found.maxAge();
  }
  return `${kept} ${seconds}`;
}

console.log(sort(answers(Number(process.argv[2]))));

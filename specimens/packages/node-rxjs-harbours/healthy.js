'use strict';
// Asks the weather office for the wind at each harbour of a coast, and names the roughest ones.
const http = require('http');
const { from, lastValueFrom } = require('rxjs');
const { filter, map, mergeMap, toArray } = require('rxjs/operators');

function weatherOffice() {
  return http.createServer((request, response) => {
    const number = Number(request.url.split('/').pop());
    setTimeout(() => response.end(JSON.stringify({ number, knots: (number * 37) % 61 })), 12);
  });
}

function harbours(count) {
  return Array.from({ length: count }, (_, number) => ({ number, name: `harbour-${number}` }));
}

function wind(port, harbour) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path: `/wind/${harbour.number}` }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => { body += piece; });
      response.on('end', () => resolve(JSON.parse(body)));
    }).on('error', reject);
  });
}

function roughest(port, count) {
  return lastValueFrom(from(harbours(count)).pipe(
    mergeMap((harbour) => wind(port, harbour), 16),
    filter((answer) => answer.knots > 50),
    map((answer) => answer.number),
    toArray(),
  ));
}

function main() {
  const server = weatherOffice();
  server.listen(0, '127.0.0.1', async () => {
    const found = await roughest(server.address().port, Number(process.argv[2]));
    console.log(found.length, found.sort((one, other) => one - other).slice(0, 5).join(' '));
    server.close();
    server.closeAllConnections();
  });
}

main();

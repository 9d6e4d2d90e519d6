// Stands before the catalogue of a gallery and passes on what the screens in the rooms ask for.
'use strict';
const http = require('http');
const httpProxy = require('http-proxy');

const ROOMS = 4;

function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

function catalogue() {
  const server = http.createServer((request, response) => {
    const picture = Number(request.url.split('/').pop());
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ picture, room: picture % ROOMS, year: 1600 + ((picture * 31) % 400) }));
  });
  return server;
}

function front(port) {
  const agent = new http.Agent({ keepAlive: true });
  const proxy = httpProxy.createProxyServer({ target: { host: '127.0.0.1', port }, agent });
  return http.createServer((request, response) => proxy.web(request, response));
}

function ask(port, agent, picture) {
  return new Promise((resolve, reject) => {
    http.get({ port, agent, host: '127.0.0.1', path: `/pictures/${picture}` }, (response) => {
      let text = '';
      response.on('data', (piece) => { text += piece; });
      response.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

async function screen(port, agent, room, pictures) {
  let years = 0;
  for (let picture = room; picture < pictures; picture += ROOMS) {
    years += (await ask(port, agent, picture)).year;
  }
  return years;
}

async function main(pictures) {
  const port = await listen(front(await listen(catalogue())));
  const agent = new http.Agent({ keepAlive: true });
  const years = await Promise.all(Array.from({ length: ROOMS }, (_, room) => screen(port, agent, room, pictures)));
  console.log(`${pictures} pictures, ${years.join(' ')}`);
  process.exit(0);
}

main(Number(process.argv[2]));

// Writes the morning report of a coast: asks the station of each lighthouse how it fared; the stations are a server here.
'use strict';
const http = require('http');
const axios = require('axios');

function stations() {
  const server = http.createServer((request, response) => {
    const number = Number(request.url.split('/')[2]);
    const state = { number, lamp: number % 11 ? 'lit' : 'dark', wind: 3 + ((number * 7) % 9), fog: number % 4 === 0 };
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(state));
    }, 12);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function ask(client, number) {
  const { data } = await client.get(`/lighthouse/${number}`);
  return data;
}

async function gather(client, lighthouses) {
  const asked = [];
  for (let number = 0; number < lighthouses; number += 1) {
    asked.push(ask(client, number));
  }
  return Promise.all(asked);
}

function report(states) {
  const dark = states.filter((state) => state.lamp === 'dark').map((state) => state.number);
  const wind = Math.max(...states.map((state) => state.wind));
  const fog = states.filter((state) => state.fog).length;
  return `${states.length} lighthouses, dark: ${dark.length}, wind up to ${wind}, fog at ${fog}`;
}

async function main(lighthouses) {
  const server = await stations();
  const client = axios.create({ baseURL: `http://127.0.0.1:${server.address().port}`, timeout: 30000 });
  console.log(report(await gather(client, lighthouses)));
  server.closeAllConnections();
  server.close();
}

main(Number(process.argv[2]));

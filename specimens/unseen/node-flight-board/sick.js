'use strict';
// Fills the departure board of an airport from the status service.

const http = require('node:http');
const { fork } = require('node:child_process');

function serve() {
  const server = http.createServer((request, response) => {
    const number = Number(request.url.split('/').pop());
    setTimeout(() => {
      const body = JSON.stringify({ number, gate: `B${number % 40}`, delay: (number * 37) % 95, via: number % 3 === 0 ? 'OSL' : null });
      response.setHeader('Content-Type', 'application/json');
      response.end(body);
    }, 14 + (number % 4));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

class FlightApi {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 24 });
    this.calls = 0;
  }

  getJson(path) {
    return new Promise((resolve, reject) => {
      http.get({ host: '127.0.0.1', port: this.port, path, agent: this.agent }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString()));
          } catch (error) {
            reject(error);
          }
        });
      }).on('error', reject);
    });
  }

  async status(number) {
    this.calls += 1;
    return this.getJson(`/flights/${number}`);
  }

  close() {
    this.agent.destroy();
  }
}

function timetable(count) {
  return Array.from({ length: count }, (_, n) => ({ number: 100 + n * 3, leaves: 300 + ((n * 53) % 900), to: ['ARN', 'CPH', 'HEL', 'KEF'][n % 4] }));
}

async function loadBoard(api, flights) {
  const rows = [];
  for (const flight of flights) {
    const status = await api.status(flight.number);
    rows.push({ ...flight, gate: status.gate, delay: status.delay, via: status.via });
  }
  return rows;
}

function clock(minutes) {
  return `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function statistics(rows) {
  const delays = rows.map((row) => row.delay).sort((a, b) => a - b);
  let spread = 0;
  for (let round = 0; round < 200; round++) {
    for (const a of delays) spread += Math.abs(a - delays[round % delays.length]);
  }
  return { median: delays[delays.length >> 1], late: delays.filter((d) => d > 15).length, spread };
}

function render(rows) {
  return [...rows]
    .sort((a, b) => a.leaves + a.delay - b.leaves - b.delay || a.number - b.number)
    .map((row) => `${clock(row.leaves + row.delay)} SK${row.number} ${row.to} ${row.gate}${row.via ? ` via ${row.via}` : ''}`);
}

async function main() {
  const count = Number(process.argv[2] || 20);
  const child = fork(__filename, ['--serve']);
  const port = await new Promise((resolve) => child.once('message', resolve));
  const api = new FlightApi(port);
  const rows = await loadBoard(api, timetable(count));
  const lines = render(rows);
  const { median, late, spread } = statistics(rows);
  api.close();
  child.kill();
  console.log('flights', lines.length, 'first', lines[0], '| median', median, 'late', late, 'spread', spread);
}

if (process.argv[2] === '--serve') serve();
else main();

// Asks the weather office for one long forecast and, meanwhile, for the reports of the coast.
'use strict';

const { fork } = require('child_process');
const { once } = require('events');
const http = require('http');

const PORTS = ['Ayr', 'Bude', 'Cley', 'Deal', 'Eyam', 'Fowey'];

function office() {
  const server = http.createServer((request, response) => {
    const [, kind, value] = request.url.split('/');
    const wait = kind === 'forecast' ? Number(value) : 30;
    setTimeout(() => response.end(JSON.stringify({ kind, value, wind: value.length * 3 })), wait);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

class Office {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true });
  }

  ask(path) {
    const options = { port: this.port, host: '127.0.0.1', path, agent: this.agent };
    return new Promise((resolve, reject) => {
      http.get(options, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
      }).on('error', reject);
    });
  }

  close() {
    this.agent.destroy();
  }
}

function chart(reports) {
  let sum = 0;
  for (const report of reports) {
    for (let mile = 0; mile < 20000; mile += 1) sum = (sum * 13 + report.wind + mile) % 999983;
  }
  return sum;
}

async function coast(weather) {
  return Promise.all(PORTS.map((port) => weather.ask(`/report/${port}`)));
}

async function main() {
  const wait = Number(process.argv[2] || 200);
  const peer = fork(__filename, ['office']);
  const [port] = await once(peer, 'message');
  const weather = new Office(port);
  const [forecast, line] = await Promise.all([weather.ask(`/forecast/${wait}`), coast(weather).then(chart)]);
  weather.close();
  peer.kill();
  console.log(`wind ${forecast.wind}, coast ${line}`);
}

if (process.argv[2] === 'office') office();
else main();

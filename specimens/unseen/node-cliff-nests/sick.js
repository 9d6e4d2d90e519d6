'use strict';
// Collects the counts of nests on all cliffs of a coast from the wardens' stations.
const http = require('node:http');
const crypto = require('node:crypto');

const KINDS = ['gannet', 'puffin', 'fulmar', 'razorbill'];

/** The wardens: each question takes them a few steps along the cliff. */
function startWardens() {
  const server = http.createServer((request, response) => {
    const cliff = Number(request.url.split('/').pop());
    const nests = Object.fromEntries(KINDS.map((kind, at) => [kind, (cliff * 53 + at * 17) % 91]));
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ cliff, nests, warden: `warden ${cliff % 7}` }));
    }, 12 + (cliff % 5));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

class Coast {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    this.asked = 0;
  }

  ask(cliff) {
    this.asked += 1;
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.port, path: `/cliff/${cliff}`, agent: this.agent };
      http.get(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => { text += piece; });
        response.on('end', () => resolve(JSON.parse(text)));
      }).on('error', reject);
    });
  }

  async survey(cliffs) {
    const answers = await Promise.all(cliffs.map((cliff) => this.ask(cliff)));
    return answers.map((answer) => this.judge(answer));
  }

  judge(answer) {
    const total = Object.values(answer.nests).reduce((sum, count) => sum + count, 0);
    let seal = crypto.createHash('sha1').update(answer.warden).digest();
    for (let round = 0; round < 60; round++) seal = crypto.createHash('sha1').update(seal).digest();
    return { cliff: answer.cliff, total, nests: answer.nests, seal: seal.toString('hex').slice(0, 6) };
  }

  close() {
    this.agent.destroy();
  }
}

function summary(rows) {
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  for (const row of rows) for (const kind of KINDS) sums[kind] += row.nests[kind];
  const best = rows.reduce((a, b) => (b.total > a.total ? b : a));
  return `${JSON.stringify(sums)} best ${best.cliff} (${best.total}) ${rows.at(-1).seal}`;
}

async function main() {
  const count = Number(process.argv[2] ?? 10);
  const server = await startWardens();
  const coast = new Coast(server.address().port);
  const rows = await coast.survey(Array.from({ length: count }, (_, at) => at + 1));
  coast.close();
  server.close();
  console.log(summary(rows), coast.asked);
}

main();

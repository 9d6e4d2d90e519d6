// Shows a magazine's articles with the names of their authors; the authors are looked up in a service, a child here.
'use strict';
const { fork } = require('child_process');
const http = require('http');
const DataLoader = require('dataloader');

function service() {
  const server = http.createServer((request, response) => {
    const ids = new URL(request.url, 'http://authors.test').searchParams.get('ids').split(',');
    response.end(JSON.stringify(ids.map((id) => ({ id: Number(id), name: `author ${id}` }))));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

function ask(port, ids) {
  return new Promise((resolve, reject) => {
    http.get({ agent, host: '127.0.0.1', port, path: `/authors?ids=${ids.join(',')}` }, (answer) => {
      let text = '';
      answer.on('data', (piece) => { text += piece; });
      answer.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

function authors(port) {
  return new DataLoader((ids) => ask(port, ids), { maxBatchSize: 250 });
}

async function show(article, context) {
  const author = await context.authors.load(article.author);
  return `${article.title} by ${author.name}`;
}

async function page(port, count) {
  const articles = Array.from({ length: count }, (_, at) => ({ title: `article ${at}`, author: (at * 37) % 1499 }));
  const context = { port, authors: authors(port) };
  return Promise.all(articles.map((article) => show(article, context)));
}

function main(count) {
  const child = fork(__filename);
  child.on('message', async (port) => {
    const lines = await page(port, count);
    console.log(lines.length, lines.join('').length, lines[count - 1]);
    agent.destroy();
    child.disconnect();
  });
}

if (process.send) service();
else main(Number(process.argv[2]));

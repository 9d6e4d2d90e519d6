// Asks a local service for prices, slow in one place: node examples/fanout.js ITEMS
//
// A child process plays the service and takes 5 ms for each answer, as a database or a remote service would. The parent
// waits for each answer before it asks for the next; `slowpath -- node examples/fanout.js 100` says so.
// `node examples/fanout.js ITEMS together` asks for all at once.
"use strict";
const { fork } = require("node:child_process");
const http = require("node:http");

const ANSWER_AFTER_MS = 5;

function serve() {
  const server = http.createServer((request, response) => {
    const item = Number(request.url.slice(1));
    setTimeout(() => response.end(JSON.stringify({ item, cents: (item * 7919) % 10000 })), ANSWER_AFTER_MS);
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}

function price(agent, port, item) {
  return new Promise((resolve, reject) => {
    const request = http.get({ agent, host: "127.0.0.1", port, path: `/${item}` }, (response) => {
      let body = "";
      response.on("data", (part) => (body += part));
      response.on("end", () => resolve(JSON.parse(body).cents));
    });
    request.on("error", reject);
  });
}

async function oneByOne(agent, port, items) {
  let sum = 0;
  for (let item = 0; item < items; item++) {
    sum += await price(agent, port, item);
  }
  return sum;
}

async function together(agent, port, items) {
  const all = Array.from({ length: items }, (_, item) => price(agent, port, item));
  return (await Promise.all(all)).reduce((sum, cents) => sum + cents, 0);
}

async function ask(port, items, how) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const sum = await (how === "together" ? together : oneByOne)(agent, port, items);
  agent.destroy();
  console.log(sum);
}

if (process.argv[2] === "serve") {
  serve();
} else {
  const service = fork(__filename, ["serve"]);
  service.once("message", async (port) => {
    await ask(port, Number(process.argv[2] ?? 100), process.argv[3]);
    service.kill();
  });
}

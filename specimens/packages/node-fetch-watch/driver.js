// Asks a service over and over how far its jobs are; the service runs in the same process.
'use strict';
const http = require('http');
const fetch = require('node-fetch');

function service() {
  return http.createServer((request, response) => {
    const job = Number(request.url.slice(6));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ job, done: job % 3 === 0 }));
  });
}

async function watch(base, jobs) {
  let done = 0;
  for (let job = 0; job < jobs; job += 1) {
    const response = await fetch(`${base}/jobs/${job}`);
    if ((await response.json()).done) done += 1;
  }
  return done;
}

const server = service().listen(0, '127.0.0.1', async () => {
  console.log(await watch(`http://127.0.0.1:${server.address().port}`, Number(process.argv[2])));
  server.close();
  server.closeAllConnections();
});

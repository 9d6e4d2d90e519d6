// Answers the requests of a library's readers and measures, for the monitoring, how long each answer took.
'use strict';
const { Histogram, Registry } = require('prom-client');

const register = new Registry();
const duration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'How long answers take',
  labelNames: ['method', 'path', 'status'],
  registers: [register],
});

function request(number) {
  const book = (number * 7919) % 1000003;
  return number % 5 === 0
    ? { method: 'PUT', route: '/books/:book/loan', path: `/books/${book}/loan`, book }
    : { method: 'GET', route: '/books/:book', path: `/books/${book}`, book };
}

function answer({ method, book }) {
  if (book % 97 === 0) return { status: 404, seconds: 0.002 };
  return { status: method === 'PUT' ? 204 : 200, seconds: 0.004 + (book % 50) / 1000 };
}

function measure({ method, route }, { status, seconds }) {
  duration.observe({ method, path: route, status }, seconds);
}

function serve(requests) {
  const statuses = {};
  for (let number = 0; number < requests; number += 1) {
    const asked = request(number);
    const given = answer(asked);
    measure(asked, given);
    statuses[given.status] = (statuses[given.status] || 0) + 1;
  }
  return statuses;
}

function main(requests) {
  const statuses = serve(requests);
  console.log(JSON.stringify(statuses), register.getMetricsAsArray().length);
}

main(Number(process.argv[2]));

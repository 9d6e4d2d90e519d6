// Checks the bodies of requests against the schema that the configuration holds for their route.
'use strict';
const Ajv = require('ajv');

const ajv = new Ajv({ allErrors: true });
const CONFIGURATION = JSON.stringify({
  '/users': {
    type: 'object',
    required: ['name', 'age'],
    properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 18 }, tags: { type: 'array', items: { type: 'string' } } },
  },
  '/orders': {
    type: 'object',
    required: ['lines'],
    properties: { lines: { type: 'array', minItems: 1, items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } } } },
  },
});

function schema(route) {
  return JSON.parse(CONFIGURATION)[route];
}

function accepted(route, body) {
  return ajv.validate(schema(route), body);
}

function serve(requests) {
  let good = 0;
  for (let request = 0; request < requests; request += 1) {
    const user = { name: `user ${request}`, age: request % 60, tags: ['a'] };
    const order = { lines: [{ sku: `s${request}`, count: request % 5 }] };
    if (request % 2 ? accepted('/users', user) : accepted('/orders', order)) good += 1;
  }
  return good;
}

console.log(serve(Number(process.argv[2])));

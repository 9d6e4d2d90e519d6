// Checks the requests of a shop's dashboards, which are put together from what each tile on them needs.
'use strict';
const { buildSchema, parse, validate } = require('graphql');

const schema = buildSchema(`
  type Price { net: Float gross: Float currency: String }
  type Product { id: ID title: String stock: Int rating: Float price: Price }
  type Query { product: Product }
`);

const FIELDS = ['id', 'title', 'stock', 'rating', 'price { net gross currency }'];

function tile(number) {
  return FIELDS.filter((field, at) => (number + at) % 3 !== 0).join(' ');
}

function request(tiles) {
  const wanted = [];
  for (let number = 0; number < tiles; number += 1) wanted.push(tile(number));
  return `query Board { product { ${wanted.join('\n')} } }`;
}

function check(text) {
  const errors = validate(schema, parse(text));
  return errors.length === 0;
}

function main(boards, tiles) {
  let good = 0;
  for (let board = 0; board < boards; board += 1) {
    if (check(request(tiles + board))) good += 1;
  }
  console.log(good);
}

main(Number(process.argv[2]), Number(process.argv[3]));

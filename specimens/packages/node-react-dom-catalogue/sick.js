// Writes the pages of a nursery's catalogue as HTML, a page for each kind of plant.
'use strict';
const { createElement } = require('react');
const { renderToStaticMarkup } = require('react-dom/server');

const KINDS = ['maple', 'birch', 'lilac', 'rose', 'willow', 'fern'];

function plants(page) {
  return Array.from({ length: 60 }, (_, at) => ({ id: page * 60 + at, kind: KINDS[(page + at) % 6], height: 20 + at, price: 4 + (at % 9) }));
}

function Price({ amount }) {
  return createElement('span', { className: 'price', 'aria-label': 'price' }, amount, '.50');
}

function Plant({ plant }) {
  return createElement('li', { id: `plant-${plant.id}`, className: 'plant', style: { maxWidth: plant.height } },
    createElement('h3', null, plant.kind),
    createElement('p', { title: 'height', lang: 'en' }, plant.height, ' cm'),
    createElement(Price, { amount: plant.price }));
}

function Page({ number, plants: list }) {
  return createElement('main', { className: 'page' },
    createElement('h1', null, 'Page ', number),
    createElement('ul', { className: 'plants' }, list.map((plant) => createElement(Plant, { key: plant.id, plant }))));
}

function write(pages) {
  let length = 0;
  for (let number = 0; number < pages; number += 1) {
    length += renderToStaticMarkup(createElement(Page, { number, plants: plants(number) })).length;
  }
  return length;
}

console.log(write(Number(process.argv[2])));

// Puts the steps of a banquet's menus in an order in which a kitchen can do them.
'use strict';
const toposort = require('toposort');

const STEPS = ['buy', 'wash', 'cut', 'cook', 'season', 'plate'];

function menu(dish) {
  const needs = [];
  for (let at = 1; at < STEPS.length; at += 1) {
    needs.push([`dish ${dish}: ${STEPS[at - 1]}`, `dish ${dish}: ${STEPS[at]}`]);
  }
  return needs;
}

function banquet(dishes) {
  const needs = [];
  for (let dish = 0; dish < dishes; dish += 1) {
    needs.push(...menu(dish));
    needs.push(['open the kitchen', `dish ${dish}: buy`]);
    needs.push([`dish ${dish}: plate`, `serve course ${dish % 9}`]);
    if (dish % 7 !== 0) needs.push([`dish ${dish - 1}: cut`, `dish ${dish}: season`]);
  }
  return needs;
}

function main(dishes) {
  const order = toposort(banquet(dishes));
  const early = order.slice(0, 400).filter((step) => step.endsWith('cut')).length;
  console.log(order.length, early, order[order.length >> 1]);
}

main(Number(process.argv[2]));

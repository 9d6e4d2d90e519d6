'use strict';
// Screens incoming mails: counts words, finds links and orders, strips signatures.

function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

const WORDS = 'please send the missing parts for our order because nobody answered last week thank you'.split(' ');
const LINK = /https?:\/\/[\w.-]+(?:\/[\w./-]*)?/g;
const ORDER = /\border\s+(\d{5})\b/gi;
const SIGNATURE = /(?:[\s_-]+)+$/;

function sentence(draw) {
  const words = [];
  for (let n = 5 + draw(12); n > 0; n -= 1) words.push(WORDS[draw(WORDS.length)]);
  return `${words.join(' ')}.`;
}

function mail(number, draw) {
  const lines = [];
  for (let n = 4 + draw(8); n > 0; n -= 1) lines.push(sentence(draw));
  if (draw(3) === 0) lines.push(`See https://shop${draw(9)}.example.org/help/${number} for order ${10000 + draw(89999)}.`);
  // Some programs draw a line of dashes or blanks above the name.
  if (number % 160 === 3) lines.push(`${'- '.repeat(9 + draw(2))}Kim`);
  if (number % 5 === 0) lines.push('-- ');
  return { number, text: lines.join('\n') };
}

function words(text) {
  let count = 0;
  for (const word of text.split(/\s+/)) if (/\w/.test(word)) count += 1;
  return count;
}

function links(text) {
  return text.match(LINK) || [];
}

function orders(text) {
  return [...text.matchAll(ORDER)].map((found) => Number(found[1]));
}

function hasSignature(text) {
  const tail = text.slice(-160);
  return SIGNATURE.test(tail);
}

function screen(letter) {
  return {
    words: words(letter.text),
    links: links(letter.text).length,
    orders: orders(letter.text),
    signed: hasSignature(letter.text),
  };
}

function main() {
  const count = Number(process.argv[2] || 9000);
  const draw = generator(77);
  const sum = { words: 0, links: 0, orders: 0, signed: 0 };
  for (let number = 0; number < count; number += 1) {
    const seen = screen(mail(number, draw));
    sum.words += seen.words;
    sum.links += seen.links;
    sum.orders = (sum.orders + seen.orders.reduce((a, b) => a + b, 0)) % 1000003;
    sum.signed += seen.signed ? 1 : 0;
  }
  console.log(sum);
}

main();

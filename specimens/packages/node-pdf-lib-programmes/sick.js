// Prints the programme of a festival, one copy for each of its friends with their name in it.
'use strict';
const { PDFDocument } = require('pdf-lib');

async function programme(concerts) {
  const booklet = await PDFDocument.create();
  for (let concert = 0; concert < concerts; concert += 1) {
    const page = booklet.addPage([200, 80]);
    page.drawRectangle({ x: 10, y: 10, width: 60 + (concert % 30), height: 40 });
  }
  return booklet;
}

async function copy(booklet, friend) {
  booklet.setTitle(`Programme for friend ${1000 + friend}`);
  const printed = await booklet.save({ useObjectStreams: false });
  return printed.length;
}

async function main(friends, concerts) {
  const booklet = await programme(concerts);
  let bytes = 0;
  for (let friend = 0; friend < friends; friend += 1) bytes += await copy(booklet, friend);
  console.log(friends, bytes);
}

main(Number(process.argv[2]), Number(process.argv[3]));

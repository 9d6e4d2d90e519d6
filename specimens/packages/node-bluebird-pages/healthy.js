// Goes through the pages of a site: reads each, finds its links and adds them up.
'use strict';
const Promise = require('bluebird');

Promise.config({ longStackTraces: false, warnings: false });

function page(number) {
  return Promise.resolve(number).then((found) => ({ number: found, text: `see /${found + 1} and /${found + 2}` }));
}

function links(read) {
  return Promise.try(() => read.text.match(/\/\d+/g)).map((link) => Number(link.slice(1)));
}

function crawl(pages) {
  return Promise.mapSeries(Array.from({ length: pages }, (_, number) => number), (number) =>
    page(number)
      .then(links)
      .then((found) => found.reduce((sum, link) => sum + link, 0))
      .catch(() => 0));
}

crawl(Number(process.argv[2])).then((sums) => {
  console.log(sums.reduce((sum, one) => sum + one, 0));
});

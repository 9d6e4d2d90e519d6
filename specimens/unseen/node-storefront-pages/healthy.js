'use strict';
// The gateway of a shop: puts a page together from what the services behind it know.
const http = require('http');
const crypto = require('crypto');

const LATENCY = { product: 9, price: 8, stock: 10, reviews: 9, similar: 8, shipping: 9 };

function answerFor(service, id) {
  switch (service) {
    case 'product': return { title: `Article ${id}`, brand: `Brand ${id % 37}` };
    case 'price': return { cents: 995 + (id * 7919) % 20000, currency: 'EUR' };
    case 'stock': return { pieces: (id * 31) % 17, depot: 'D' + (id % 4) };
    case 'reviews': return { stars: 1 + (id * 13) % 5, texts: Array.from({ length: 12 }, (_, i) => `Review ${i} of ${id}`) };
    case 'similar': return { ids: [id + 1, id + 2, id * 2, id * 3] };
    default: return { days: 1 + id % 5 };
  }
}

function startServices() {
  const server = http.createServer((request, response) => {
    const [, service, id] = request.url.split('/');
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerFor(service, Number(id))));
    }, LATENCY[service]);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

class Backend {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
    this.calls = 0;
  }

  fetch(service, id) {
    this.calls += 1;
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.port, path: `/${service}/${id}`, agent: this.agent };
      http.get(options, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
        response.on('error', reject);
      }).on('error', reject);
    });
  }

  close() {
    this.agent.destroy();
  }
}

function escapeHtml(text) {
  return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function renderPage(id, parts) {
  const rows = parts.reviews.texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('');
  return `<h1>${escapeHtml(parts.product.title)}</h1><p>${escapeHtml(parts.product.brand)}</p>` +
    `<b>${(parts.price.cents / 100).toFixed(2)} ${parts.price.currency}</b>` +
    `<i>${parts.stock.pieces} in ${parts.stock.depot}, ${parts.shipping.days} days</i>` +
    `<ul data-stars="${parts.reviews.stars}">${rows}</ul><nav>${parts.similar.ids.join(' ')}</nav>`;
}

async function collectParts(backend, id) {
  const parts = {};
  await Promise.all(Object.keys(LATENCY).map(async (service) => {
    parts[service] = await backend.fetch(service, id);
  }));
  return parts;
}

async function servePage(backend, id, etags) {
  const html = renderPage(id, await collectParts(backend, id));
  etags.update(html);
  return html.length;
}

async function visitor(backend, pages) {
  const etags = crypto.createHash('sha1');
  let bytes = 0;
  for (let visit = 0; visit < pages; visit++) {
    bytes += await servePage(backend, 100 + (visit * 17) % 900, etags);
  }
  return { bytes, etag: etags.digest('hex').slice(0, 12) };
}

async function main() {
  const pages = Number(process.argv[2]);
  const server = await startServices();
  const backend = new Backend(server.address().port);
  const { bytes, etag } = await visitor(backend, pages);
  backend.close();
  server.close();
  console.log(`pages=${pages} calls=${backend.calls} bytes=${bytes} etag=${etag}`);
}

main();

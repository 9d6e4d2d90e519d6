'use strict';
// The account page of a shop: gathers what the page shows from the services behind it and renders HTML.
const http = require('http');
const crypto = require('crypto');
const { Worker, isMainThread, parentPort } = require('worker_threads');

// ---- the services behind the page, on a thread of their own -------------------------------------------------

const LATENCY = { profile: 14, orders: 17, wishlist: 12, loyalty: 15, messages: 13, offers: 18 };

function answer(service, customer) {
  const seed = crypto.createHash('md5').update(`${service}:${customer}`).digest();
  switch (service) {
    case 'profile':
      return { name: `Customer ${customer}`, since: 2005 + (seed[0] % 19), language: seed[1] % 2 ? 'de' : 'en' };
    case 'orders':
      return Array.from({ length: 1 + (seed[0] % 6) }, (_, i) => ({ id: seed.readUInt32LE(i), total: seed[i + 5] * 10 }));
    case 'wishlist':
      return Array.from({ length: seed[0] % 9 }, (_, i) => `SKU-${seed.readUInt16LE(i)}`);
    case 'loyalty':
      return { points: seed.readUInt16LE(3), tier: ['basic', 'silver', 'gold'][seed[2] % 3] };
    case 'messages':
      return { unread: seed[4] % 12 };
    default:
      return Array.from({ length: 3 }, (_, i) => ({ sku: `SKU-${seed.readUInt16LE(i * 2)}`, percent: 5 + (seed[i] % 40) }));
  }
}

function serve() {
  const server = http.createServer((request, response) => {
    const [, service, customer] = request.url.split('/');
    setTimeout(() => {
      const body = JSON.stringify(answer(service, customer));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    }, LATENCY[service]);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

// ---- the page --------------------------------------------------------------------------------------------------

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

class Services {
  constructor(port) {
    this.port = port;
    this.asked = 0;
  }

  get(service, customer) {
    this.asked += 1;
    return new Promise((resolve, reject) => {
      const request = http.get(
        { host: '127.0.0.1', port: this.port, path: `/${service}/${customer}`, agent },
        (response) => {
          const parts = [];
          response.on('data', (part) => parts.push(part));
          response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString('utf8'))));
        },
      );
      request.on('error', reject);
    });
  }
}

function escape(text) {
  return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function list(entries, show) {
  return `<ul>${entries.map((entry) => `<li>${escape(show(entry))}</li>`).join('')}</ul>`;
}

async function collect(services, customer) {
  const profile = await services.get('profile', customer);
  const orders = await services.get('orders', customer);
  const wishlist = await services.get('wishlist', customer);
  const loyalty = await services.get('loyalty', customer);
  const messages = await services.get('messages', customer);
  const offers = await services.get('offers', customer);
  return { profile, orders, wishlist, loyalty, messages, offers };
}

function render(data) {
  const sections = [
    `<h1>${escape(data.profile.name)}</h1><p>since ${data.profile.since}, ${data.loyalty.tier}</p>`,
    list(data.orders, (order) => `${order.id}: ${(order.total / 100).toFixed(2)}`),
    list(data.wishlist, (sku) => sku),
    list(data.offers, (offer) => `${offer.sku} -${offer.percent} %`),
    `<p>${data.messages.unread} unread, ${data.loyalty.points} points</p>`,
  ];
  return `<!doctype html><html lang="${data.profile.language}"><body>${sections.join('\n')}</body></html>`;
}

async function visit(port, pages) {
  const services = new Services(port);
  const digest = crypto.createHash('sha1');
  let bytes = 0;
  for (let page = 0; page < pages; page += 1) {
    const html = render(await collect(services, 1000 + page * 37));
    bytes += Buffer.byteLength(html);
    digest.update(html);
  }
  return `pages ${pages} asked ${services.asked} bytes ${bytes} digest ${digest.digest('hex').slice(0, 12)}`;
}

if (isMainThread) {
  const worker = new Worker(__filename);
  worker.once('message', async (port) => {
    console.log(await visit(port, Number(process.argv[2] || 18)));
    agent.destroy();
    await worker.terminate();
  });
} else {
  serve();
}

'use strict';
// Puts together the dossiers of tenants for a housing office: five registers are asked over http, then a letter is written.

const crypto = require('crypto');
const http = require('http');

const REGISTERS = { person: 9, rent: 11, repairs: 8, parking: 7, pets: 10 };

/** All registers of the town live behind one door, each with its own pace. */
class TownHall {
  constructor() {
    this.server = http.createServer((request, response) => this.answer(request, response));
    this.server.keepAliveTimeout = 20000;
  }

  open() {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => resolve(this.server.address().port));
    });
  }

  answer(request, response) {
    const [, register, tenant] = request.url.split('/');
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(this.card(register, Number(tenant))));
    }, REGISTERS[register]);
  }

  card(register, tenant) {
    switch (register) {
      case 'person':
        return { name: `Tenant ${tenant}`, since: 1990 + (tenant * 7) % 30 };
      case 'rent':
        return { monthly: 400 + (tenant * 37) % 500, arrears: tenant % 11 === 0 ? 120 + tenant : 0 };
      case 'repairs':
        return { open: Array.from({ length: tenant % 4 }, (_, place) => `R${tenant}-${place}`) };
      case 'parking':
        return { place: tenant % 3 ? null : `P${tenant % 60}` };
      default:
        return { pets: tenant % 5 === 0 ? ['cat'] : [] };
    }
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

class Registry {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
    this.asked = 0;
  }

  card(register, tenant) {
    this.asked++;
    return new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port: this.port, path: `/${register}/${tenant}`, agent: this.agent }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString('utf8'))));
      });
      request.on('error', reject);
    });
  }

  async dossier(tenant) {
    return {
      tenant,
      person: await this.card('person', tenant),
      rent: await this.card('rent', tenant),
      repairs: await this.card('repairs', tenant),
      parking: await this.card('parking', tenant),
      pets: await this.card('pets', tenant),
    };
  }

  close() {
    this.agent.destroy();
  }
}

const PARAGRAPHS = [
  ({ person }) => `Dear ${person.name}, you have lived with us since ${person.since}.`,
  ({ rent }) => `Your rent is ${rent.monthly} a month.` + (rent.arrears ? ` ${rent.arrears} are due.` : ''),
  ({ repairs }) => (repairs.open.length ? `We still have to mend: ${repairs.open.join(', ')}.` : ''),
  ({ parking }) => (parking.place ? `Your place in the yard is ${parking.place}.` : ''),
  ({ pets }) => (pets.pets.length ? `Please keep your ${pets.pets[0]} off the stairs.` : ''),
];

function letter(dossier) {
  return PARAGRAPHS.map((paragraph) => paragraph(dossier)).filter(Boolean).join('\n');
}

/** Six desks write letters side by side; the franking machine takes them in the order of the tenants. */
async function frank(registry, tenants) {
  const letters = new Array(tenants);
  let next = 0;
  const desk = async () => {
    while (next < tenants) {
      const place = next++;
      letters[place] = letter(await registry.dossier(place + 1));
    }
  };
  await Promise.all(Array.from({ length: 6 }, desk));
  const roll = crypto.createHash('sha256');
  let lines = 0;
  for (const text of letters) {
    lines += text.split('\n').length;
    roll.update(text);
  }
  return { lines, stamp: roll.digest('hex').slice(0, 12) };
}

async function main() {
  const tenants = Number(process.argv[2] || 10);
  const hall = new TownHall();
  const registry = new Registry(await hall.open());
  const { lines, stamp } = await frank(registry, tenants);
  registry.close();
  hall.close();
  console.log(`tenants ${tenants} cards ${registry.asked} lines ${lines} stamp ${stamp}`);
}

main();

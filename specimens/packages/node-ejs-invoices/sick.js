'use strict';
// Writes the invoices of a nursery from one template on disk, and says how long the letters are altogether.
const fs = require('fs');
const os = require('os');
const path = require('path');
const ejs = require('ejs');

const LETTER = `<html><head><title>Invoice <%= number %></title></head><body>
<h1><%= customer.name %></h1>
<% if (customer.abroad) { %><p class="tax">No tax is due.</p><% } else { %><p class="tax">Tax is included.</p><% } %>
<table>
<% plants.forEach((plant) => { %><tr>
  <td><%= plant.name %></td><td><%= plant.count %></td>
  <td><%= (plant.count * plant.cents / 100).toFixed(2) %></td>
</tr><% }) %>
</table>
<% if (total > 10000) { %><p>Delivery is free.</p><% } %>
<p>Total: <%= (total / 100).toFixed(2) %></p>
<p><%= customer.abroad ? 'Please pay within thirty days.' : 'Please pay within ten days.' %></p>
</body></html>`;

const PLANTS = ['Acer', 'Betula', 'Cornus', 'Dahlia', 'Erica', 'Fagus', 'Geum'];

function invoice(number) {
  const plants = PLANTS.slice(number % 5).map((name, at) => ({ name, count: 1 + ((number + at) % 9), cents: 350 + at * 120 }));
  const total = plants.reduce((sum, plant) => sum + plant.count * plant.cents, 0);
  return { number, plants, total, customer: { name: `Customer ${number % 400}`, abroad: number % 7 === 0 } };
}

function letter(template, number) {
  return ejs.renderFile(template, invoice(number));
}

async function writeAll(template, count) {
  let length = 0;
  for (let number = 0; number < count; number += 1) {
    length += (await letter(template, number)).length;
  }
  return length;
}

async function main() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoices-'));
  try {
    const template = path.join(folder, 'letter.ejs');
    fs.writeFileSync(template, LETTER);
    console.log(await writeAll(template, Number(process.argv[2])));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

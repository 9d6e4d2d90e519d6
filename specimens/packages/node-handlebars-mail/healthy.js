'use strict';
const Handlebars = require('handlebars');

const INVOICE = `
<h1>{{title}} {{number}}</h1>
<p>Dear {{customer.first}} {{customer.last}},</p>
{{#if reminder}}<p class="due">This is a reminder for {{money total}}.</p>{{else}}<p>Thank you.</p>{{/if}}
<table>
{{#each lines}}
  <tr><td>{{@index}}</td><td>{{article}}</td><td>{{quantity}}</td><td>{{money price}}</td></tr>
{{/each}}
</table>
<p>{{#with customer.address}}{{street}}, {{zip}} {{city}}{{/with}}</p>
<p>Total {{money total}}</p>
`;

function invoiceFor(number) {
  const lines = [0, 1, 2].map((n) => ({
    article: `article ${(number * 3 + n) % 91}`,
    quantity: n + 1,
    price: 100 + (number * 13 + n) % 900,
  }));
  return {
    title: 'Invoice',
    number,
    lines,
    reminder: number % 7 === 0,
    total: lines.reduce((sum, line) => sum + line.quantity * line.price, 0),
    customer: {
      first: 'Ada',
      last: `Muster-${number % 100}`,
      address: { street: `Ring ${number % 80}`, zip: 10000 + number % 999, city: 'Ulm' },
    },
  };
}

const template = Handlebars.compile(INVOICE);

function renderInvoice(invoice) {
  return template(invoice);
}

function main() {
  Handlebars.registerHelper('money', (cents) => `${(cents / 100).toFixed(2)} EUR`);
  const count = Number(process.argv[2]);
  let length = 0;
  let reminders = 0;
  for (let number = 0; number < count; number++) {
    const html = renderInvoice(invoiceFor(number));
    length += html.length;
    if (html.includes('class="due"')) reminders += 1;
  }
  console.log(`invoices=${count} reminders=${reminders} length=${length}`);
}

main();

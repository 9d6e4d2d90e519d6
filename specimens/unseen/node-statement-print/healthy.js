'use strict';
// Prints account statements as text pages, in the language of each account holder.
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

const LOCALES = ['de-DE', 'en-GB', 'fr-FR', 'nl-NL'];
const CURRENCIES = ['EUR', 'GBP', 'CHF'];
const PURPOSES = ['Rent', 'Salary', 'Groceries', 'Insurance', 'Card payment', 'Refund', 'Standing order'];
const LINES_ON_PAGE = 40;

function accounts(count) {
  const found = [];
  for (let i = 0; i < count; i += 1) {
    found.push({
      id: 100000 + i * 13,
      locale: LOCALES[i % LOCALES.length],
      currency: CURRENCIES[(i >> 2) % CURRENCIES.length],
      opening: (i * 7919) % 500000,
    });
  }
  return found;
}

function bookings(account, count) {
  const rows = [];
  let state = account.id;
  for (let i = 0; i < count; i += 1) {
    state = (Math.imul(state, 22695477) + 1) >>> 0;
    const amount = (state % 90000) - 45000;
    rows.push({
      when: Date.UTC(2024, 0, 1 + Math.floor((i * 90) / count), 8 + (state >>> 28) / 2),
      purpose: PURPOSES[(state >>> 16) % PURPOSES.length],
      amount,
    });
  }
  return rows;
}

class Layout {
  constructor(account) {
    this.account = account;
    const day = { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' };
    this.days = new Intl.DateTimeFormat(account.locale, day);
    const money = { style: 'currency', currency: account.currency };
    this.amounts = new Intl.NumberFormat(account.locale, money);
  }

  day(when) {
    return this.days.format(when);
  }

  money(cents) {
    return this.amounts.format(cents / 100);
  }

  line(row, balance) {
    const left = this.day(row.when).padEnd(16) + row.purpose.padEnd(18);
    return left + this.money(row.amount).padStart(16) + this.money(balance).padStart(18);
  }
}

function paginate(lines, title) {
  const pages = [];
  for (let at = 0; at < lines.length; at += LINES_ON_PAGE) {
    const head = `${title}  page ${pages.length + 1}`;
    pages.push([head, '='.repeat(head.length), ...lines.slice(at, at + LINES_ON_PAGE)].join('\n'));
  }
  return pages;
}

function statement(account, perAccount) {
  const layout = new Layout(account);
  let balance = account.opening;
  const lines = [];
  for (const row of bookings(account, perAccount)) {
    balance += row.amount;
    lines.push(layout.line(row, balance));
  }
  return { balance, pages: paginate(lines, `Account ${account.id}`) };
}

function main() {
  const count = Number(process.argv[2] || 48);
  const perAccount = Number(process.argv[3] || 140);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'statements-'));
  const digest = crypto.createHash('sha1');
  let pages = 0;
  let total = 0;
  try {
    for (const account of accounts(count)) {
      const made = statement(account, perAccount);
      const text = made.pages.join('\f');
      fs.writeFileSync(path.join(folder, `${account.id}.txt`), text);
      digest.update(text);
      pages += made.pages.length;
      total += made.balance;
    }
    console.log(`statements ${count} pages ${pages} total ${total} digest ${digest.digest('hex').slice(0, 12)}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();

'use strict';
// Renders the pages of a shop out of template parts; themes override each other.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const crypto = require('node:crypto');

const THEMES = ['customer', 'winter', 'seasonal', 'contrast', 'mobile', 'brand', 'plain', 'base'];
const PARTS = ['head', 'menu', 'crumbs', 'title', 'price', 'gallery', 'text', 'reviews', 'related', 'foot'];
const ENDINGS = ['.local.tpl', '.tpl'];

function lay(root) {
  THEMES.forEach((theme, depth) => {
    fs.mkdirSync(path.join(root, theme));
    PARTS.forEach((part, n) => {
      if (theme === 'base' || (n * 5 + depth) % 9 === 0) {
        fs.writeFileSync(path.join(root, theme, `${part}.tpl`), `<${part} theme="${theme}">{{name}} {{sum}}</${part}>\n`);
      }
    });
  });
}

class Resolver {
  constructor(root) {
    this.root = root;
    this.templates = new Map();
    this.places = new Map();
    for (const theme of [...THEMES].reverse()) {
      for (const file of fs.readdirSync(path.join(root, theme))) this.places.set(file.split('.')[0], path.join(root, theme, file));
    }
  }

  resolve(part) {
    return this.places.get(part) || null;
  }

  template(place) {
    let text = this.templates.get(place);
    if (text === undefined) {
      text = fs.readFileSync(place, 'utf8');
      this.templates.set(place, text);
    }
    return text;
  }
}

function expand(text, values) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, key) => String(values[key] ?? ''));
}

function product(number) {
  let sum = 0;
  for (let k = 1; k < 40; k++) sum = (sum * 31 + number * k) % 99991;
  return { name: `Article ${number}`, sum };
}

function renderPage(resolver, number) {
  const values = product(number);
  let html = '';
  for (const part of PARTS) {
    const place = resolver.resolve(part);
    if (place) html += expand(resolver.template(place), values);
  }
  return html;
}

function main() {
  const count = Number(process.argv[2] || 100);
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'themes-'));
  try {
    lay(root);
    const resolver = new Resolver(root);
    const hash = crypto.createHash('md5');
    let size = 0;
    for (let number = 0; number < count; number++) {
      const html = renderPage(resolver, number);
      size += html.length;
      hash.update(html);
    }
    console.log('pages', count, 'characters', size, 'templates', resolver.templates.size, hash.digest('hex').slice(0, 10));
  } finally {
    fs.rmSync(root, { recursive: true });
  }
}

main();

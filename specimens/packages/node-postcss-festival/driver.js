// Reads the style sheet of a festival site, which a bundler has joined from the sheets of its stages, and counts its colours.
'use strict';
const postcss = require('postcss');

function stage(number) {
  return `.stage-${number}{color:#${(0x100000 + ((number * 7919) % 0xeffff)).toString(16)};order:${number % 9}}`;
}

function bundle(stages) {
  const parts = [];
  const sheets = [];
  for (let number = 0; number < stages; number += 1) {
    parts.push(`/*# sourceMappingURL=stage-${number}.css.map`);
    sheets.push(stage(number));
  }
  return `/* joined from: ${parts.join(' ')}\n*/\n${sheets.join('\n')}\n`;
}

function colours(root) {
  const seen = new Map();
  root.walkDecls('color', (declaration) => {
    const shade = declaration.value.slice(0, 3);
    seen.set(shade, (seen.get(shade) || 0) + 1);
  });
  return seen;
}

function main(stages) {
  const sheet = bundle(stages);
  const seen = colours(postcss.parse(sheet, { from: undefined }));
  console.log(`${sheet.length} characters, ${seen.size} shades, ${Math.max(...seen.values())} of the commonest`);
}

main(Number(process.argv[2]));

// Renders the posts of a message board; some were pasted from tables with wide columns.
'use strict';
const MarkdownIt = require('markdown-it');

function posts(count) {
  const posts = [];
  for (let number = 0; number < count; number += 1) {
    let text = `# Post ${number}\n\nSee **item ${number}** and [the list](https://example.org/${number}).\n\n`;
    if (number % 5 === 0) text += `Total ${' '.repeat(9000)} ${number}  \nwith tax\n\n`;
    posts.push(`${text}- first\n- second\n`);
  }
  return posts;
}

function render(posts) {
  const markdown = new MarkdownIt();
  return posts.map((post) => markdown.render(post));
}

const pages = render(posts(Number(process.argv[2])));
console.log(pages.length, pages.join('').split('<br>').length);

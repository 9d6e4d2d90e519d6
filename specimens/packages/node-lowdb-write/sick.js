// Keeps the posts of a blog in one JSON file.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const low = require('lowdb');
const FileSync = require('lowdb/adapters/FileSync');

function publish(file, count) {
  const database = low(new FileSync(file));
  database.defaults({ posts: [] }).write();
  for (let id = 0; id < count; id += 1) {
    database.get('posts').push({ id, title: `post ${id}`, text: 'lorem ipsum '.repeat(8), likes: id % 13 }).write();
  }
  return database.get('posts').size().value();
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'blog-'));
console.log(publish(path.join(folder, 'blog.json'), Number(process.argv[2])));
fs.rmSync(folder, { recursive: true });

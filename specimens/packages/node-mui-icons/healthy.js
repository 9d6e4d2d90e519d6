// Renders the toolbar of a page on the server.
'use strict';
const React = require('react');
const { renderToStaticMarkup } = require('react-dom/server');
const Check = require('@mui/icons-material/Check').default;
const Close = require('@mui/icons-material/Close').default;
const Star = require('@mui/icons-material/Star').default;

function toolbar(icons) {
  const buttons = icons.map((icon, key) => React.createElement('button', { key }, React.createElement(icon)));
  return React.createElement('nav', null, buttons);
}

const html = renderToStaticMarkup(toolbar([Check, Close, Star]));
console.log(html.match(/<svg/g).length);

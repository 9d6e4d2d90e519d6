'use strict';
// Writes the source of a checker from its rules.

function clause({ field, least, most, steps }) {
  const tests = steps.map((step) => `(value % ${step}) === 0 ? ${step} :`).join(' ');
  return `{
    const value = part.${field};
    if (value < ${least}) errors.push('${field}-');
    else if (value > ${most}) errors.push('${field}+');
    const fit = ${tests} 1;
    grade = (grade * 31 + fit) % 65521;
  }`;
}

function write(rules) {
  return `let grade = 7; const errors = [];\n${rules.map(clause).join('\n')}\nif (grade % 13 === 0) errors.push('grade');\nreturn errors;`;
}

module.exports = { write };

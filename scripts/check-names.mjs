// Checks declared names and file names: no word for which docs/glossary.md has a standard term, no exported name that a
// library gives to something else, and no name that two files of src/ and packages/ export.
// A name that a library dictates is listed under `allowed` in vocabulary.json, with the reason.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const { words, prefixes, clashes, allowed } = JSON.parse(
  readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8'),
);

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|mjs|js)$/.test(file));

const declared = files.flatMap(declaredNames);
const problems = [
  ...files.flatMap(pathProblems),
  ...declared.flatMap((one) => [...wordProblems(one.name), ...clashProblems(one)].map((text) => ({ ...one, text }))),
  ...duplicates(declared.filter(({ place, isExported }) => isExported && /^(src|packages)\//.test(place))),
].filter(({ name }) => !(name in allowed));

for (const { place, name, text } of problems) console.error(`${place}: "${name}": ${text}.`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`The names in ${files.length} files are standard and unique.`);

function pathProblems(file) {
  return file
    .split('/')
    .map((part) => part.replace(/\.(ts|mjs|js)$/, ''))
    .flatMap((name) => wordProblems(name).map((text) => ({ place: file, name, text })));
}

/** @returns every name that a file declares, with its place and whether the file exports it */
function declaredNames(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const names = [];
  const visitNode = (node) => {
    if (declaresName(node)) {
      const line = source.getLineAndCharacterOfPosition(node.name.getStart(source)).line + 1;
      names.push({ place: `${file}:${line}`, name: node.name.text, isExported: isExported(node) });
    }
    ts.forEachChild(node, visitNode);
  };
  visitNode(source);
  return names;
}

function declaresName(node) {
  const isUse = ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node) || ts.isExportSpecifier(node);
  return !isUse && node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name));
}

function isExported(node) {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** What to write instead, for each word of a name in camelCase, snake_case or kebab-case. */
function wordProblems(name) {
  const prefix = /^([A-Z]+)_/.exec(name)?.[1];
  const parts = name.split(/[^A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return [
    ...(prefix in prefixes ? [`write ${prefixes[prefix]}_…`] : []),
    ...parts.flatMap((part) => {
      const form = part.toLowerCase();
      const word = [form, form.replace(/s$/, '')].find((one) => Object.hasOwn(words, one));
      return word ? [`write ${words[word]} instead of ${form}`] : [];
    }),
  ];
}

function clashProblems({ name, isExported: exported }) {
  return exported && Object.hasOwn(clashes, name) ? [clashes[name]] : [];
}

function duplicates(exported) {
  const groups = new Map();
  for (const one of exported) groups.set(one.name, [...(groups.get(one.name) ?? []), one]);
  return [...groups].flatMap(([name, all]) => {
    const inFiles = new Set(all.map(({ place }) => place.split(':')[0]));
    return inFiles.size < 2
      ? []
      : [{ place: all[0].place, name, text: `also exported by ${[...inFiles].slice(1).join(', ')}` }];
  });
}

// Refuses words in declared names and in file names for which docs/glossary.md has a standard term.
// A name that a library dictates is listed under `allowed` in vocabulary.json, with the reason.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const { words, prefixes, clashes, allowed } = JSON.parse(
  readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8'),
);
/** Released migrations are never edited. */
const LAST_WITH_OLD_NAMES = 'src/app/migrations/1795200000008';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|mjs|js)$/.test(file))
  .filter((file) => !file.startsWith('src/app/migrations/') || file > `${LAST_WITH_OLD_NAMES}~`);

const found = files
  .flatMap((file) => [...namesOfPath(file), ...declaredNames(file)])
  .filter(({ name }) => !(name in allowed));
for (const { place, name, advice } of found) console.error(`${place}: "${name}": ${advice}.`);
if (found.length > 0) process.exitCode = 1;
else console.log(`Vocabulary: the names in ${files.length} files are standard.`);

function namesOfPath(file) {
  return file
    .split('/')
    .flatMap((name) => advices(name.replace(/\.(ts|mjs|js)$/, '')).map((advice) => ({ place: file, name, advice })));
}

function declaredNames(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const names = [];
  const visitNode = (node) => {
    const { name } = node;
    const isDeclared =
      name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && !ts.isPropertyAccessExpression(node);
    if (isDeclared && !ts.isImportSpecifier(node) && !ts.isExportSpecifier(node)) {
      const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
      for (const advice of [...advices(name.text), ...clashOf(node, name.text)]) {
        names.push({ place: `${file}:${line}`, name: name.text, advice });
      }
    }
    ts.forEachChild(node, visitNode);
  };
  visitNode(source);
  return names;
}

/** What to say instead, for each word of a name: camelCase, snake_case and kebab-case are split. */
function advices(name) {
  const prefix = /^([A-Z]+)_/.exec(name)?.[1];
  const parts = name
    .split(/[^A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((part) => part.toLowerCase());
  return [
    ...(prefix in prefixes ? [`write ${prefixes[prefix]}_…`] : []),
    ...parts.flatMap((part) => {
      const word = [part, part.replace(/s$/, '')].find((form) => Object.hasOwn(words, form));
      return word ? [`write ${words[word]} instead of ${part}`] : [];
    }),
  ];
}

function clashOf(node, name) {
  const isExported =
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const isExportedConst =
    ts.isVariableDeclaration(node) &&
    node.parent.parent.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return (isExported || isExportedConst) && Object.hasOwn(clashes, name) ? [clashes[name]] : [];
}

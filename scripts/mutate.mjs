// Measures what the tests notice: reverses one condition of the code at a time, and runs the given specs for each.
//   node scripts/mutate.mjs --files src/a.ts,src/b.ts --specs src/a.spec.ts,test/x.spec.ts --mutants 8 --seed 1 --json out.json
// All mutants of a file are compiled into one copy of it, which asks globalThis.mutant which of them is on (mutant schemata).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { SyntaxKind: Kind } = ts;
const COMPARISONS = new Set([
  ...[Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken, Kind.EqualsEqualsToken],
  ...[Kind.ExclamationEqualsToken, Kind.LessThanToken, Kind.LessThanEqualsToken, Kind.GreaterThanToken],
  ...[Kind.GreaterThanEqualsToken, Kind.InstanceOfKeyword, Kind.InKeyword],
]);
const LOGICAL = new Set([Kind.AmpersandAmpersandToken, Kind.BarBarToken]);
const PREDICATE_CALLS = new Set(['filter', 'some', 'every', 'find', 'findIndex', 'findLast']);
/** If no test starts for so long, the process of Jest hangs. A test has a limit of its own. */
const MAX_SILENCE_MS = 180_000;

/** @returns the conditions inside of the functions of a file: `{ file, line, start, end, text }`, in their order */
export function conditionsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map();
  const add = (node) => {
    if (ts.isParenthesizedExpression(node)) return add(node.expression);
    const [start, end] = [node.getStart(source), node.end];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.set(`${start}-${end}`, { file, line, start, end, text: node.getText(source) });
    if (ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind)) [node.left, node.right].forEach(add);
  };
  const visit = (node, isInFunction) => {
    if (isInFunction) conditionsAt(node).forEach(add);
    ts.forEachChild(node, (child) => visit(child, isInFunction || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return [...found.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}

/** The expressions below a node, or the node itself, whose value is true or false. */
function conditionsAt(node) {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return [node.expression];
  if (ts.isConditionalExpression(node)) return [node.condition];
  if (ts.isForStatement(node)) return [node.condition].filter(Boolean);
  if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind)) return [node];
  if (!ts.isCallExpression(node) || !PREDICATE_CALLS.has(node.expression.name?.text)) return [];
  return node.arguments.filter((it) => ts.isArrowFunction(it) && !ts.isBlock(it.body)).map(({ body }) => body);
}

/** @returns at most `count` of the conditions, in their order, and always the same for a seed (mulberry32) */
function sample(conditions, count, seed) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const ranked = conditions.map((condition) => ({ condition, rank: random() }));
  const chosen = new Set(
    ranked
      .sort((one, other) => one.rank - other.rank)
      .slice(0, count)
      .map((it) => it.condition),
  );
  return conditions.filter((condition) => chosen.has(condition));
}

/** @returns the text from `start` to `end` with its mutants, which may contain each other, as alternatives */
function withAlternatives(text, start, end, mutants) {
  let [result, position] = ['', start];
  for (const { id, ...outer } of mutants) {
    if (outer.start < position) continue;
    const within = mutants.filter((it) => it.id !== id && it.start >= outer.start && it.end <= outer.end);
    const condition = withAlternatives(text, outer.start, outer.end, within);
    result += text.slice(position, outer.start);
    result += `(globalThis.mutant === ${id} ? !(${condition}) : (${condition}))`;
    position = outer.end;
  }
  return result + text.slice(position, end);
}

/** Runs one process of Jest, which may end in the middle. @returns the lines that its runner has written */
async function runJest(run) {
  const support = fileURLToPath(new URL('../test/support/mutants', import.meta.url));
  writeFileSync(run.results, '');
  const options = ['--runInBand', '--forceExit', '--testPathIgnorePatterns', '/node_modules/'];
  options.push('--runner', join(support, 'runner.mjs'), '--globalSetup', join(support, 'setup.mjs'));
  const log = openSync(run.log, 'a');
  const jest = spawn(process.execPath, ['node_modules/.bin/jest', ...options, '--runTestsByPath', ...run.specs], {
    stdio: ['ignore', log, log],
    env: { ...process.env, MUTANTS: JSON.stringify(run) },
  });
  const linesOf = () =>
    readFileSync(run.results, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const ended = once(jest, 'exit');
  while ((await Promise.race([ended, pause(1_000)])) === undefined) {
    if (Date.now() - statSync(run.results).mtimeMs < MAX_SILENCE_MS) continue;
    jest.kill('SIGKILL');
    await ended;
    const [{ dataDir }] = linesOf();
    // What the teardown of Jest would have done.
    process.kill(Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
  return linesOf();
}

/** @returns the result of each mutant: `{ mutant, seconds, noticedBy? }`, where 0 and the last one are the unbroken code */
async function runMutants(count, run) {
  const results = [];
  for (let next = 0, longestMs = 0; next <= count + 1; next = results.length) {
    const mutants = Array.from({ length: count + 2 - next }, (_, index) => next + index);
    const lines = await runJest({ ...run, mutants, longestMs });
    const done = lines.filter(({ mutant }) => mutant !== undefined);
    results.push(...done);
    longestMs = Math.max(longestMs, ...done.map((it) => it.longestMs));
    if (results.length === 0 || results[0].noticedBy) {
      throw new Error(
        `The specs fail without any mutant:\n${results[0]?.noticedBy.failure ?? readFileSync(run.log, 'utf8')}`,
      );
    }
    if (results[0].mutatedFiles.length < Object.keys(run.mutated).length) {
      throw new Error(`Of the files, the specs load only these in their process: ${results[0].mutatedFiles}.`);
    }
    if (results.length > count + 1) break;
    const test = lines.findLast((line) => line.test)?.test;
    results.push({ mutant: results.length, noticedBy: { failure: `The process of Jest ended or hung in "${test}".` } });
  }
  return results;
}

async function main() {
  const list = { type: 'string', default: '' };
  const { values } = parseArgs({
    options: {
      files: list,
      specs: list,
      mutants: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const files = values.files.split(',');
  const folder = mkdtempSync(join(tmpdir(), 'outreach-mutants-'));
  const chosen = files
    .flatMap((file) => sample(conditionsOf(file), Number(values.mutants), Number(values.seed)))
    .map((condition, index) => ({ id: index + 1, ...condition }));
  const mutated = {};
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const mutants = chosen.filter((it) => it.file === file);
    const copy = join(folder, file);
    mkdirSync(dirname(copy), { recursive: true });
    const loaded = `\n;(globalThis.mutatedFiles ??= []).push(${JSON.stringify(file)});\n`;
    writeFileSync(copy, withAlternatives(text, 0, text.length, mutants) + loaded);
    mutated[pathToFileURL(resolve(file)).href] = pathToFileURL(copy).href;
  }
  const paths = { results: join(folder, 'results.jsonl'), log: join(folder, 'jest.log') };
  const results = await runMutants(chosen.length, { mutated, specs: values.specs.split(','), ...paths });
  const isRestored = results.at(-1).noticedBy === undefined;
  const mutants = chosen.map(({ id, file, line, text }) => ({ file, line, text, ...results[id] }));
  for (const { file, line, text, noticedBy } of mutants) {
    console.log(`${noticedBy ? 'noticed' : 'MISSED '}  ${file}:${line}  ${text.replaceAll(/\s+/g, ' ')}`);
  }
  const summary = files.map((file) => {
    const own = mutants.filter((it) => it.file === file);
    return { file, noticed: own.filter((it) => it.noticedBy).length, total: own.length };
  });
  for (const { file, noticed, total } of summary) console.log(`${file}: ${noticed} of ${total} noticed`);
  if (!isRestored) console.log('The unbroken code failed at the end: what a mutant has left made others fail.');
  if (values.json) {
    const unbroken = { first: results[0], last: results.at(-1) };
    writeFileSync(values.json, JSON.stringify({ summary, specs: values.specs.split(','), unbroken, mutants }, null, 2));
  }
  rmSync(folder, { recursive: true });
  process.exitCode = isRestored ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

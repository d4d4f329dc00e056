// Runs tests: `npm test`, `npm test -- contacts` (the files whose path contains that, of any suite), `-t` (tests by title),
// `npm run test:slow`. The suites are in test-suites.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { printSummary } from '../test/support/progress-reporter.mjs';
import { timeFactor } from '../test/support/time-factor.mjs';
import { missingPrograms, suiteNameOf, suiteOf } from './test-suites.mjs';

/** If more files fail, it is not by chance, and they are not run again. */
const MAX_REPEATED_FILES = 20;
const DURATIONS = 'node_modules/.cache/outreach/test-durations.json';

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string' },
    testNamePattern: { type: 'string', short: 't' },
    // For CI, which has built already.
    'no-build': { type: 'boolean' },
  },
});

// npm runs the script of a package in its folder.
process.chdir(join(import.meta.dirname, '..'));

const specs = ['packages', 'src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules'))
    .map((path) => join(folder, path).replaceAll('\\', '/')),
);

/** The specs of a suite. */
function specsOf(name) {
  const { files } = suiteOf(name);
  const isPart = (path) => files.some((file) => path === file || path.startsWith(`${file}/`));
  return specs.filter((path) => isPart(path) && (name !== undefined || suiteNameOf(path) === undefined));
}

/** What is to run: pairs of a suite's name and its files. */
function selected() {
  const isChosen = (path) => parts.length === 0 || parts.some((part) => path.includes(part));
  if (options.suite !== undefined) return [[options.suite, specsOf(options.suite).filter(isChosen)]];
  if (parts.length === 0) return [[undefined, specsOf(undefined)]];
  const bySuite = new Map();
  for (const path of specs.filter(isChosen)) {
    const name = suiteNameOf(path);
    bySuite.set(name, [...(bySuite.get(name) ?? []), path]);
  }
  return [...bySuite];
}

const inMinutes = (seconds) => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
const durations = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {};

function describeRun(name, files) {
  const { about, minutes } = suiteOf(name);
  const last = durations[name ?? 'npm test'];
  const whole = last
    ? `It took ${inMinutes(last)} last time.`
    : `It takes about ${inMinutes(60 * minutes * timeFactor())}.`;
  console.log(`Tests ${about}: ${files.length} files. ${parts.length === 0 ? whole : ''}`);
  if (timeFactor() > 1) {
    console.log(
      `This machine is slower or busier than a usual one: all limits of tests are multiplied by ${timeFactor()}.`,
    );
  }
}

function build() {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs Jest. @returns the result of each file, or none if it could not run */
async function runJest(name, files, { env, args = [] }) {
  const { config, processes } = suiteOf(name);
  const folder = mkdtempSync(join(tmpdir(), 'outreach-results-'));
  const results = join(folder, 'results.json');
  const jest = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      ...(config ? ['--config', config] : ['--testPathIgnorePatterns', '/node_modules/']),
      ...(processes && !args.includes('--runInBand') ? ['--maxWorkers', String(processes)] : []),
      ...(options.testNamePattern ? ['--testNamePattern', options.testNamePattern] : []),
      ...args,
      '--runTestsByPath',
      ...files,
    ],
    { stdio: 'inherit', env: { ...process.env, ...env, TEST_RESULTS: results } },
  );
  await once(jest, 'exit');
  const tested = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  return tested;
}

/** Shows why files failed, and runs each once more, alone. @returns the results of those that pass then */
async function repeat(name, failing, env) {
  const passed = [];
  for (const { file, message } of failing) {
    console.log(`\n${message}\n\nRuns ${file} once more, alone`);
    const [again] = await runJest(name, [file], { env, args: ['--runInBand'] });
    if (again?.failed === 0) passed.push(again);
  }
  return passed;
}

/** @returns the result of each file, and those that failed by chance as they were in the first run */
async function runSuite(name, files) {
  const { env, stop } = (await suiteOf(name).prepare?.()) ?? { env: {} };
  try {
    const results = await runJest(name, files, { env });
    if (results.length === 0) throw new Error('Jest has not run: see above.');
    const failing = results.filter(({ failed }) => failed > 0);
    if (failing.length > MAX_REPEATED_FILES) return { results, flaky: [] };
    const again = new Map((await repeat(name, failing, env)).map((each) => [each.file, each]));
    return {
      results: results.map((each) => again.get(each.file) ?? each),
      flaky: failing.filter(({ file }) => again.has(file)),
    };
  } finally {
    await stop?.();
  }
}

function refuse(message) {
  console.error(message);
  process.exit(1);
}

if (!suiteOf(options.suite)) refuse(`There is no suite ${options.suite}.`);
const chosen = selected();
if (chosen.every(([, files]) => files.length === 0)) refuse(`No test file has ${parts.join(' or ')} in its path.`);
for (const [name, files] of chosen) {
  const missing = missingPrograms(suiteOf(name));
  if (missing) refuse(`These tests require ${missing}`);
  describeRun(name, files);
}
if (!options['no-build'] && !chosen.every(([name]) => suiteOf(name).isSource)) build();

const all = { results: [], flaky: [] };
for (const [name, files] of chosen) {
  const startedAt = performance.now();
  const { results, flaky } = await runSuite(name, files);
  all.results.push(...results);
  all.flaky.push(...flaky);
  if (parts.length > 0) continue;
  mkdirSync(dirname(DURATIONS), { recursive: true });
  durations[name ?? 'npm test'] = Math.round((performance.now() - startedAt) / 1_000);
  writeFileSync(DURATIONS, JSON.stringify(durations));
}
printSummary(all.results, all.flaky);
process.exitCode = all.results.some(({ failed }) => failed > 0) ? 1 : 0;

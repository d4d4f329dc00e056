// Runs all benchmarks one after the other, prints a table and writes bench/RESULTS.md.
// npm run bench -- [name ...]  names of benchmarks, without .mjs: only their sections are replaced; --quick uses small
//                              sizes and writes no file
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { format, median } from './fixture/compare.mjs';

/** Each benchmark with its arguments for `--quick`. */
const BENCHMARKS = {
  sending: [500, 1],
  processes: [500, 1],
  distributed: [500, 1],
  webhooks: [200, 1, 2],
  requests: [10_000, 1, 1],
  callbacks: [500, 1],
  mailboxes: [20, 1],
  import: [5_000, 1],
  enrolling: [20_000, 1],
  segments: [10_000, 1],
  sizes: [3, 1_000, 10_000],
  rendering: [5_000, 1],
};

const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(1);
}

const RESULTS = new URL('./RESULTS.md', import.meta.url);
const measured = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
  const results = [];
  const load = loadavg()[0];
  const child = fork(new URL(`./${name}.mjs`, import.meta.url), values.quick ? BENCHMARKS[name].map(String) : []);
  child.on('message', (result) => results.push(result));
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    console.error(`The benchmark ${name} ended with exit code ${code}.`);
    process.exit(1);
  }
  measured[name] = section({ name, load, results });
  console.log(measured[name]);
  if (!values.quick) writeResults();
}

/** Replaces the sections of what was measured, so that a benchmark that is cut off loses no other results. */
function writeResults() {
  const present = existsSync(RESULTS)
    ? readFileSync(RESULTS, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const earlier = Object.fromEntries(present.map((text) => [/^## (.*)$/m.exec(text)[1], text]));
  const sections = Object.keys(BENCHMARKS).map((name) => measured[name] ?? earlier[name]);
  writeFileSync(
    RESULTS,
    [introduction(), ...sections.filter(Boolean)].map((text) => text.trimEnd()).join('\n\n') + '\n',
  );
}

function introduction() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    '# Results of the benchmarks',
    '',
    `Written by \`npm run bench\`: version ${version}, Node ${process.versions.node}, ` +
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GB. Absolute numbers depend on the machine; compare the ratios. ` +
      'Values are medians, with the lowest and the highest round in parentheses. `bench/README.md` explains each benchmark.',
  ].join('\n');
}

function section({ name, load, results }) {
  const rows = results.map(row);
  return [
    `## ${name}`,
    '',
    `${new Date().toISOString().slice(0, 10)}. Load of the machine before it: ${load.toFixed(1)}.`,
    '',
    '| What | Service | Baseline | Built instead | Ratio | Required, target | CPU per operation: service, PostgreSQL | Memory |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

function row({ title, unit, results, ratio, bounds, usage }) {
  const { ours, baseline, alternative } = results;
  return [
    title,
    side(ours, unit),
    side(baseline, unit),
    side(alternative, unit),
    ratio === undefined ? '' : ratio.toFixed(2),
    [bounds.required, bounds.target].filter((value) => value !== undefined).join(', '),
    usage ? `${usage.service} ms, ${usage.postgres} ms` : '',
    usage ? `${usage.memory} MB` : '',
  ];
}

function side(values, unit) {
  if (!values) return '';
  const spread = values.length > 1 ? ` (${format(Math.min(...values))} to ${format(Math.max(...values))})` : '';
  return `${format(median(values))} ${unit}${spread}`;
}

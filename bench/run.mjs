// Runs all benchmarks one after the other, prints a table and writes bench/RESULTS.md.
// npm run bench [name ...]     names of benchmarks, without .mjs; --quick uses small sizes and writes no file
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { format, median } from './fixture/compare.mjs';

/** Each benchmark with its arguments for `--quick`. */
const BENCHMARKS = {
  sending: [500, 1],
  processes: [500, 1],
  webhooks: [200, 1, 2],
  requests: [10_000, 1, 1],
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

const sections = [];
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
  sections.push({ name, load, results });
}
const document = [...introduction(), ...sections.flatMap(section)].join('\n');
console.log(document);
if (!values.quick && positionals.length === 0) writeFileSync(new URL('./RESULTS.md', import.meta.url), `${document}\n`);

function introduction() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    '# Results of the benchmarks',
    '',
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: version ${version}, Node ${process.versions.node}, ` +
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GB. Absolute numbers depend on the machine; compare the ratios. ` +
      'Values are medians, with the lowest and the highest round in parentheses. `bench/README.md` explains each benchmark.',
    '',
  ];
}

function section({ name, load, results }) {
  const rows = results.map(row);
  return [
    `## ${name}`,
    '',
    `Load of the machine before it: ${load.toFixed(1)}.`,
    '',
    '| What | Service | Baseline | Built instead | Ratio | Required, target | CPU per operation: service, PostgreSQL | Memory |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ];
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

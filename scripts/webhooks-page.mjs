// The generated parts of docs/webhooks.md: the tested snippets, and the pauses from the settings.
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

const FOLDER = 'examples/webhooks';
const SNIPPET = /(?<=<!-- snippet (\S+) -->\n)[^]*?(?=<!-- \/snippet -->)/g;
const LANGUAGES = { '.mjs': 'js', '.py': 'python', '.php': 'php', '.go': 'go' };

const UNITS = [
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** @param schedules in seconds: `retries` before each retry of a delivery, `probes` after each failure of a webhook */
export function webhooksPage(page, { retries, probes }) {
  const missing = readdirSync(FOLDER).filter((file) => !page.includes(`<!-- snippet ${FOLDER}/${file} -->`));
  if (missing.length > 0) throw new Error(`docs/webhooks.md does not include ${missing.join(', ')} of ${FOLDER}.`);
  return page
    .replace(SNIPPET, (_, file) => `\n<!-- prettier-ignore -->\n${fenced(file)}\n\n`)
    .replace(between('retries'), () => `\n${retryTable(retries)}\n\n`)
    .replace(between('pauses'), () => `\n${pauseTable(probes)}\n\n`);
}

const between = (name) => new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=<!-- /${name} -->)`);

const fenced = (file) => `\`\`\`${LANGUAGES[extname(file)]}\n${readFileSync(file, 'utf8')}\`\`\``;

const retryTable = (pauses) =>
  table(
    ['Attempt', 'Pause before it', 'Time since the first attempt'],
    [['1', 'none', ''], ...pauses.map((pause, index) => [String(index + 2), text(pause), text(sum(pauses, index))])],
  );

const pauseTable = (pauses) =>
  table(
    ['Failed attempts in a row', 'Pause', 'Time from the first failure to the next attempt'],
    pauses.map((pause, index) => [String(index + 1), text(pause), text(sum(pauses, index))]),
  );

const table = (header, rows) =>
  [
    '<!-- prettier-ignore -->',
    ...[header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');

/** The sum of all pauses up to this one. */
const sum = (pauses, last) => pauses.slice(0, last + 1).reduce((total, pause) => total + pause, 0);

/** Formats seconds with the two largest units: 2 h 35 min. */
function text(seconds) {
  const parts = [];
  let left = seconds;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    left -= count * size;
  }
  return parts.slice(0, 2).join(' ');
}

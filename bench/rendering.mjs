// Emails a second filled in for one recipient after the other: a parsed template beside chained string replacement,
// and one that is looked up in the cache beside one that is parsed for each recipient.
// node bench/rendering.mjs [recipients] [rounds]
import { parseTemplate, TemplateCache } from '../dist/src/templates/rendering/index.js';
import { compare } from './fixture/compare.mjs';

const [recipients = 100_000, rounds = 5] = process.argv.slice(2).map(Number);
const NAMES = [
  'first_name',
  'last_name',
  'company',
  'job_title',
  'city',
  'plan',
  'seats',
  'booking_url',
  'quote',
  'ps',
];
const PARAGRAPH = `<p style="margin:0 0 16px;font-family:Arial,sans-serif;color:#222">${'We would like to show you what we make. '.repeat(10)}</p>\n`;
const BODY = `<html><body>\n${NAMES.map((name) => `${PARAGRAPH}<p>{{ ${name} }}</p>\n`).join('')}</body></html>`;

/** Every recipient's values differ, and one of ten holds what has to be escaped. */
const people = Array.from({ length: 1_000 }, (_, number) =>
  Object.fromEntries(NAMES.map((name) => [name, name === 'company' ? `R&D "${number}" <Lyon>` : `${name} ${number}`])),
);

const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const replaced = (source, values) =>
  NAMES.reduce((html, name) => html.replaceAll(`{{ ${name} }}`, () => escaped(values[name])), source);

const template = parseTemplate(BODY);
if (people.some((values) => template.renderHtml(values) !== replaced(BODY, values))) {
  throw new Error('Both ways must give the same.');
}

/** Emails a second. Each is written out, as a mailer would: joined strings are flat only then. */
function rate(fillIn) {
  const out = Buffer.alloc(2 * BODY.length);
  const startedAt = performance.now();
  for (let number = 0; number < recipients; number += 1) out.write(fillIn(people[number % people.length], number));
  return (recipients / (performance.now() - startedAt)) * 1000;
}

// The database hands out a step's source anew with each message; a claim brings 50 of them, of one step or another.
const CLAIM = 50;
const sources = ['one', 'two', 'three', 'four'].map((step) => Buffer.from(`${BODY}<!-- ${step} -->`));
const sourceOf = (number) => sources[Math.floor(number / CLAIM) % sources.length].toString();
const cache = new TemplateCache();

const emails = { rounds, unit: 'emails/s' };
console.log(`${BODY.length} characters, ${NAMES.length} variables, ${recipients} recipients`);
await compare('A parsed template beside chained replaceAll', {
  ...emails,
  ours: () => rate((values) => template.renderHtml(values)),
  limit: () => rate((values) => replaced(BODY, values)),
  better: 'higher; bar 1',
});
await compare('Found in the cache beside parsed for each recipient', {
  ...emails,
  ours: () => rate((values, number) => cache.parse(sourceOf(number)).renderHtml(values)),
  limit: () => rate((values, number) => parseTemplate(sourceOf(number)).renderHtml(values)),
  better: 'higher; bar 1',
});

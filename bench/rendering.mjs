// Emails per second that are rendered: a parsed template compared with chained string replacement, and a template from
// the cache compared with one that is parsed for each recipient.
// node bench/rendering.mjs [recipients] [rounds]
import { parseTemplate, TemplateCache, valuesOf } from '@outreach/template-language';
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

/** Different values for each recipient; one of ten values must be escaped. */
const recipientValues = Array.from({ length: 1_000 }, (_, number) =>
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
if (recipientValues.some((values) => template.renderHtml(valuesOf(values)) !== replaced(BODY, values))) {
  throw new Error('Both sides must render the same.');
}

/** Emails per second. Each one is written to a buffer, as a mailer does, because V8 flattens joined strings only then. */
function rate(render) {
  const out = Buffer.alloc(2 * BODY.length);
  const startedAt = performance.now();
  for (let number = 0; number < recipients; number += 1)
    out.write(render(recipientValues[number % recipientValues.length], number));
  return (recipients / (performance.now() - startedAt)) * 1000;
}

// The database returns the source of a step with each message; a claim returns 50 messages of any step.
const CLAIM = 50;
const sources = ['one', 'two', 'three', 'four'].map((step) => Buffer.from(`${BODY}<!-- ${step} -->`));
const sourceOf = (number) => sources[Math.floor(number / CLAIM) % sources.length].toString();
const cache = new TemplateCache();

const emails = { rounds, unit: 'emails/s' };
console.log(`${BODY.length} characters, ${NAMES.length} variables, ${recipients} recipients`);
await compare('A parsed template compared with chained replaceAll', {
  ...emails,
  ours: () => rate((values) => template.renderHtml(valuesOf(values))),
  baseline: () => rate((values) => replaced(BODY, values)),
  better: 'higher',
  bounds: { required: 1 },
});
await compare('A cached template compared with one that is parsed for each recipient', {
  ...emails,
  ours: () => rate((values, number) => cache.parse(sourceOf(number)).renderHtml(valuesOf(values))),
  baseline: () => rate((values, number) => parseTemplate(sourceOf(number)).renderHtml(valuesOf(values))),
  better: 'higher',
  bounds: { required: 1 },
});

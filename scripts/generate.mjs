// Generates files from the code: settings in .env.example and in the documents, the API reference, the events, and the
// code for receivers of webhooks. With --check it writes nothing, prints the files that differ, and exits with 1. With
// --no-build it uses the build that exists, and leaves it as it is.
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { referenceTexts } from './reference/texts.mjs';
import { undescribed } from './reference/undescribed.mjs';
import { errorsPage } from './errors-page.mjs';
import { eventsPage } from './events-page.mjs';
import { extendingPage } from './extending-page.mjs';
import { valuesSchema, versionedChart } from './helm-chart.mjs';
import { metricsTable } from './metrics-table.mjs';
import { withScaleTables } from './scale-tables.mjs';
import { envExample, settingsTable } from './settings-texts.mjs';
import { webhooksPage } from './webhooks-page.mjs';

const METRICS = /(?<=<!-- metrics -->\n)[^]*?(?=<!-- \/metrics -->)/;
const SETTINGS = /(?<=<!-- settings -->\n)[^]*?(?=<!-- \/settings -->)/;

const usesBuild = process.argv.includes('--no-build');
if (!usesBuild) await import('./build.mjs');

const { SETTINGS: settings } = await import('../dist/src/app/settings.js');
const { declarations } = await import('../dist/src/app/declarations.js');
const { eventReference } = await import('../dist/src/app/event-reference.js');
const { definedReasons } = await import('@outreach/http-errors');
const { DELIVERY_HEADERS } = await import('@outreach/webhook-delivery');
const { describeApi } = await import('../dist/src/app/describe-api.js');
const { DOCUMENTED_SERVER } = await import('../dist/src/app/reference/set-up-reference.js');

const declared = await declarations();
const reference = describeApi(declared, DOCUMENTED_SERVER, await referenceTexts());
const generated = {
  '.env.example': () => envExample(settings),
  'docs/openapi.json': () => `${JSON.stringify(reference, null, 2)}\n`,
  'docs/events.md': () =>
    formatted('docs/events.md', eventsPage(eventReference(declared.publicEvents), DELIVERY_HEADERS)),
  'docs/errors.md': () => formatted('docs/errors.md', errorsPage(definedReasons())),
  'docs/adr/README.md': adrIndex,
  'docs/extending.md': async (page) => formatted('docs/extending.md', await extendingPage(page)),
  'docs/webhooks.md': withSnippets,
  'src/app/migrations/index.ts': migrationsIndex,
  'test/support/api-schemas.ts': apiSchemas,
  'docs/configuration.md': withSettings,
  'docs/monitoring.md': withMetrics,
  'docs/scale.md': (page) => formatted('docs/scale.md', withScaleTables(page)),
  'deploy/helm/outreach/Chart.yaml': async (chart) =>
    versionedChart(chart, JSON.parse(await readFile('package.json', 'utf8')).version),
  'deploy/helm/outreach/alerts.yaml': () => readFile('docker/monitoring/alerts.yaml', 'utf8'),
  'deploy/helm/outreach/values.schema.json': (schema) =>
    formatted('deploy/helm/outreach/values.schema.json', valuesSchema(schema, settings)),
};

const outdated = [];
for (const [path, make] of Object.entries(generated)) {
  const current = await readFile(path, 'utf8').catch(emptyIfMissing);
  const generatedText = await make(current);
  if (generatedText === current) continue;
  outdated.push(path);
  if (!process.argv.includes('--check')) await writeFile(path, generatedText);
}
// A process reads the copy.
if (!usesBuild) await copyFile('docs/openapi.json', 'dist/docs/openapi.json');

for (const place of undescribed(reference)) {
  console.warn(`${place} has no description: write a doc comment for it, see docs/adr/0041.`);
}

if (process.argv.includes('--check')) {
  for (const path of outdated) console.error(`${path} is not up to date: run npm run generate.`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  console.log(outdated.length === 0 ? 'Everything is up to date.' : `Written: ${outdated.join(', ')}`);
}

/** The types of the records in requests and responses, for the tests. */
async function apiSchemas() {
  const { openapi, info, components } = reference;
  const document = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  const types = astToString(await openapiTS(structuredClone(document), { emptyObjectsUnknown: true }));
  const [schemas] = /export interface components \{[^]*?\n\}/.exec(types);
  return formatted(
    'test/support/api-schemas.ts',
    `// Generated from docs/openapi.json by npm run generate.\n${schemas}\n
/** A record as the API shows or takes it, by the name of its schema. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];\n`,
  );
}

/** The list of migrations, from the names of their files and classes. */
async function migrationsIndex() {
  const folder = 'src/app/migrations';
  const files = (await readdir(folder)).filter((file) => /^\d+-.*\.ts$/.test(file)).sort();
  const classes = await Promise.all(
    files.map(async (file) => /export class (\w+)/.exec(await readFile(`${folder}/${file}`, 'utf8'))[1]),
  );
  const imports = files.map((file, n) => `import { ${classes[n]} } from './${file.replace(/\.ts$/, '.js')}';`);
  return formatted(
    `${folder}/index.ts`,
    `${imports.join('\n')}

/** In the order in which they are applied. Written by npm run generate. A released migration is never edited. */
export const migrations = [${classes.join(', ')}];
`,
  );
}

/** The index of the decisions, from their titles and, where one was not simply accepted, the line `Status: …` below it. */
async function adrIndex() {
  const folder = 'docs/adr';
  const files = (await readdir(folder)).filter((file) => /^\d+-.*\.md$/.test(file)).sort();
  const rows = await Promise.all(
    files.map(async (file) => {
      const head = (await readFile(`${folder}/${file}`, 'utf8')).split('\n').slice(0, 3).join('\n');
      const [, number, title, , status = 'accepted'] = /^# (\d+)\. (.+)(\n\nStatus: (.+)\.$)?/.exec(head);
      return `| ${number} | [${title}](${file}) | ${status} |`;
    }),
  );
  return formatted(
    `${folder}/README.md`,
    `# Decisions\n\nWritten by \`npm run generate\` from the first lines of the decisions. One that is not simply accepted has a line
\`Status: …\` below its title.\n\n| | Decision | Status |\n| --: | --- | --- |\n${rows.join('\n')}\n`,
  );
}

/** Formats a text as `npm run check:format` requires. */
async function formatted(path, text) {
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

/** Replaces the table of settings between two markers. */
function withSettings(document) {
  return document.replace(SETTINGS, () => `\n<!-- prettier-ignore -->\n${settingsTable(settings)}\n\n`);
}

/** Replaces the table of metrics between two markers. The modules that declare them are loaded. */
function withMetrics(document) {
  return document.replace(METRICS, () => `\n<!-- prettier-ignore -->\n${metricsTable()}\n\n`);
}

/** Replaces pauses and snippets between markers. */
function withSnippets(page) {
  const { WEBHOOK_RETRY_SCHEDULE: retries, WEBHOOK_PROBE_SCHEDULE: probes } = settings;
  return webhooksPage(page, { retries: retries.fallback, probes: probes.fallback });
}

function emptyIfMissing(error) {
  if (error.code === 'ENOENT') return '';
  throw error;
}

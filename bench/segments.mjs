// Milliseconds for the count, the first page and the preview of segments over HTTP, compared with hand-written SQL on
// separate tables with every index that helps it, behind a node:http server. Both must return the same.
// node bench/segments.mjs [contacts] [rounds] [part of the names of the segments]
import { deepStrictEqual } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { median } from './fixture/compare.mjs';
import { printSummary, printTable } from './fixture/segments/report.mjs';
import { handWritten } from './fixture/segments/hand-written.mjs';
import { copyTables } from './fixture/segments/baseline-tables.mjs';
import { seedContacts } from './fixture/segments/seed-contacts.mjs';
import { segmentCases } from './fixture/segments/cases.mjs';
import { startFixture } from './fixture/service.mjs';

const [contacts = 1_000_000, rounds = 5] = process.argv.slice(2, 4).map(Number);
const namePart = process.argv.slice(4).join(' ');
const PATHS = { count: '', page: '/contacts', preview: '/preview' };

const fixture = await startFixture();
await seedContacts(fixture, contacts);
await copyTables(fixture);
const { rows } = await fixture.database.query(
  'SELECT id FROM contacts WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1',
  [fixture.workspaceId],
);
const [{ id: someContact }] = rows;
const segments = [];
for (const segment of await segmentCases(fixture))
  if (segment.name.includes(namePart)) segments.push(await create(segment));
const baselineUrl = await startBaseline();
for (const segment of segments) await assertSameResponses(segment);
for (const segment of segments) await measure(segment);
printTable(segments);
printSummary(segments);
await fixture.stop();

async function create({ match, ...segment }) {
  const { name, conditions } = segment;
  const { data } = await fixture.call('POST', '/segments', { name, match_type: match, conditions });
  return { ...segment, id: data.id, ours: timings(), baseline: timings(), unchanged: timings() };
}

function timings() {
  return { count: [], page: [], preview: [] };
}

/** @returns the base URL of the server with the hand-written SQL */
async function startBaseline() {
  const client = await fixture.database.connect();
  const statements = {};
  for (const segment of segments) statements[segment.id] = await handWritten(client, segment, fixture.workspaceId);
  client.release();
  const script = new URL('./fixture/segments/baseline-server.mjs', import.meta.url);
  const server = fork(script, [fixture.databaseUrl, String(fixture.workspaceId), fixture.url]);
  process.on('exit', () => server.kill());
  const [{ port }] = await once(server, 'message');
  server.send(statements);
  await once(server, 'message');
  return `http://127.0.0.1:${port}/v1`;
}

/** Timings of different responses cannot be compared. */
async function assertSameResponses(segment) {
  const both = (kind) => Promise.all([fetchJson(fixture.url, segment, kind), fetchJson(baselineUrl, segment, kind)]);
  const [ours, baseline] = await both('page');
  deepStrictEqual(ours.meta, baseline.meta, `${segment.name}: the totals of both sides differ`);
  deepStrictEqual(ours.data, baseline.data, `${segment.name}: the pages of both sides differ`);
  deepStrictEqual(...(await both('preview')), `${segment.name}: the previews of both sides differ`);
  const counts = (await both('count')).map(({ data }) => data.contacts_count);
  deepStrictEqual(counts, [ours.meta.total, ours.meta.total], `${segment.name}: the counts of both sides differ`);
  segment.matches = ours.meta.total;
}

async function measure(segment) {
  for (let round = 0; round < rounds; round++) {
    for (const kind of Object.keys(PATHS)) {
      const sides = [
        async () => segment.ours[kind].push(await milliseconds(fixture.url, segment, kind)),
        async () => segment.baseline[kind].push(await milliseconds(baselineUrl, segment, kind)),
      ];
      for (const side of round % 2 === 0 ? sides : sides.reverse()) {
        await invalidateCounts();
        await side();
      }
    }
  }
  for (const kind of Object.keys(PATHS)) {
    for (let time = 0; time < 3; time++) segment.unchanged[kind].push(await milliseconds(fixture.url, segment, kind));
  }
  for (const side of ['ours', 'baseline', 'unchanged']) {
    for (const kind of Object.keys(PATHS)) segment[side][kind] = median(segment[side][kind]);
  }
}

/** Changes a contact, so that no cached count is valid. */
async function invalidateCounts() {
  await fixture.database.query('UPDATE contacts SET updated_at = updated_at WHERE workspace_id = $1 AND id = $2', [
    fixture.workspaceId,
    someContact,
  ]);
}

async function milliseconds(base, segment, kind) {
  const start = performance.now();
  await fetchJson(base, segment, kind);
  return performance.now() - start;
}

async function fetchJson(base, segment, kind) {
  const response = await fetch(`${base}/segments/${segment.id}${PATHS[kind]}`, {
    headers: { authorization: `Bearer ${fixture.token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${segment.name}, ${kind}: ${response.status} ${text}`);
  return JSON.parse(text);
}

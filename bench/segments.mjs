// Milliseconds for the count, the first page and the preview of segments over HTTP, beside hand-written SQL on tables of
// its own with every index that helps it, behind a bare node:http server. Both must answer the same.
// node bench/segments.mjs [contacts] [rounds] [words in the names of the segments]
import { deepStrictEqual } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { median } from './fixture/compare.mjs';
import { printSummary, printTable } from './fixture/segments/report.mjs';
import { handWritten } from './fixture/segments/hand-written.mjs';
import { copyTables } from './fixture/segments/baseline-tables.mjs';
import { seedPeople } from './fixture/segments/seed-contacts.mjs';
import { segmentCases } from './fixture/segments/fixture.mjs';
import { startStage } from './fixture/service.mjs';

const [contacts = 1_000_000, rounds = 5] = process.argv.slice(2, 4).map(Number);
const only = process.argv.slice(4).join(' ');
const PATHS = { count: '', page: '/contacts', preview: '/preview' };

const stage = await startStage();
await seedPeople(stage, contacts);
await copyTables(stage);
const { rows } = await stage.database.query(
  'SELECT id FROM contacts WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1',
  [stage.workspaceId],
);
const [{ id: someContact }] = rows;
const segments = [];
for (const segment of await segmentCases(stage)) if (segment.name.includes(only)) segments.push(await created(segment));
const limitUrl = await startLimit();
for (const segment of segments) await sameAnswers(segment);
for (const segment of segments) await measured(segment);
printTable(segments);
printSummary(segments);
await stage.stop();

async function created({ match, ...segment }) {
  const { name, conditions } = segment;
  const { data } = await stage.call('POST', '/segments', { name, match_type: match, conditions });
  return { ...segment, id: data.id, ours: figures(), limit: figures(), unchanged: figures() };
}

function figures() {
  return { count: [], page: [], preview: [] };
}

/** @returns the base of the URLs of the hand-written side */
async function startLimit() {
  const client = await stage.database.connect();
  const statements = {};
  for (const segment of segments) statements[segment.id] = await handWritten(client, segment, stage.workspaceId);
  client.release();
  const script = new URL('./fixture/segments/baseline-server.mjs', import.meta.url);
  const server = fork(script, [stage.databaseUrl, String(stage.workspaceId), stage.url]);
  process.on('exit', () => server.kill());
  const [{ port }] = await once(server, 'message');
  server.send(statements);
  await once(server, 'message');
  return `http://127.0.0.1:${port}/v1`;
}

/** A benchmark that compares different answers compares nothing. */
async function sameAnswers(segment) {
  const both = (kind) => Promise.all([answered(stage.url, segment, kind), answered(limitUrl, segment, kind)]);
  const [ours, limit] = await both('page');
  deepStrictEqual(ours.meta, limit.meta, `${segment.name}: the totals of both sides differ`);
  deepStrictEqual(ours.data, limit.data, `${segment.name}: the pages of both sides differ`);
  deepStrictEqual(...(await both('preview')), `${segment.name}: the previews of both sides differ`);
  const counts = (await both('count')).map(({ data }) => data.contacts_count);
  deepStrictEqual(counts, [ours.meta.total, ours.meta.total], `${segment.name}: the counts of both sides differ`);
  segment.matches = ours.meta.total;
}

async function measured(segment) {
  for (let round = 0; round < rounds; round++) {
    for (const kind of Object.keys(PATHS)) {
      const sides = [
        async () => segment.ours[kind].push(await milliseconds(stage.url, segment, kind)),
        async () => segment.limit[kind].push(await milliseconds(limitUrl, segment, kind)),
      ];
      for (const side of round % 2 === 0 ? sides : sides.reverse()) {
        await outdate();
        await side();
      }
    }
  }
  for (const kind of Object.keys(PATHS)) {
    for (let time = 0; time < 3; time++) segment.unchanged[kind].push(await milliseconds(stage.url, segment, kind));
  }
  for (const side of ['ours', 'limit', 'unchanged']) {
    for (const kind of Object.keys(PATHS)) segment[side][kind] = median(segment[side][kind]);
  }
}

/** What was counted before counts no more. */
async function outdate() {
  await stage.database.query('UPDATE contacts SET updated_at = updated_at WHERE workspace_id = $1 AND id = $2', [
    stage.workspaceId,
    someContact,
  ]);
}

async function milliseconds(base, segment, kind) {
  const start = performance.now();
  await answered(base, segment, kind);
  return performance.now() - start;
}

async function answered(base, segment, kind) {
  const response = await fetch(`${base}/segments/${segment.id}${PATHS[kind]}`, {
    headers: { authorization: `Bearer ${stage.token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${segment.name}, ${kind}: ${response.status} ${text}`);
  return JSON.parse(text);
}

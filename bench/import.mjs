// Seconds for a CSV of 10 MB through the API, beside bare COPY and INSERT … ON CONFLICT under the same indexes, and the
// memory that the service takes for it. node bench/import.mjs [rows] [rounds]
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { compare } from './fixture/compare.mjs';
import { peopleCsv } from './fixture/contacts-csv.mjs';
import { startStage } from './fixture/service.mjs';

const [rows = 197_000, rounds = 5] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'outreach-bench-'));
const file = join(folder, 'people.csv');
await writeFile(file, peopleCsv(rows));
const stage = await startStage({ ROLE: 'api' });

const seconds = async (work) => {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
};
/** Every round finds the table as the first one did. */
const emptied = async () => {
  await stage.database.query('TRUNCATE contacts CASCADE');
  await stage.database.query('TRUNCATE record_counts');
};
const tidied = () => stage.database.query('VACUUM contacts');

const upload = async (fields = {}) => {
  const form = new globalThis.FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', await openAsBlob(file), 'people.csv');
  const headers = { authorization: `Bearer ${stage.token}` };
  const response = await fetch(`${stage.url}/contacts/import`, { method: 'POST', headers, body: form });
  const { data } = await response.json();
  if (data?.imported + data?.updated + data?.skipped !== rows) throw new Error(JSON.stringify(data));
};

const bare = async (onConflict) => {
  const client = await stage.database.connect();
  try {
    await client.query('BEGIN');
    await client.query('CREATE TEMPORARY TABLE bare (email text, first_name text, last_name text) ON COMMIT DROP');
    const copy = client.query(copyStreams.from('COPY bare FROM STDIN WITH (FORMAT csv, HEADER)'));
    await pipeline(createReadStream(file), copy);
    await client.query(
      `INSERT INTO contacts (workspace_id, email, first_name, last_name)
       SELECT $1, email, first_name, last_name FROM bare ON CONFLICT (workspace_id, email) ${onConflict}`,
      [stage.workspaceId],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
};

const memory = async (field) =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${stage.pid}/status`, 'utf8'))?.[1]) / 1024;
const megabytes = (await stat(file)).size / 1_048_576;

await fetch(`${stage.url}/me`, { headers: { authorization: `Bearer ${stage.token}` } });
const idle = await memory('VmRSS');
// From here on the peak counts: starting takes more than running.
await writeFile(`/proc/${stage.pid}/clear_refs`, '5');
await upload();
const title = `import of ${rows} rows, ${megabytes.toFixed(1)} MB`;
await compare(`${title}, all new`, {
  rounds,
  ours: async () => (await emptied(), seconds(() => upload())),
  limit: async () => (await emptied(), seconds(() => bare('DO NOTHING'))),
  unit: 's',
  better: 'lower; bar 1.5, aim 1.2',
});
await compare(`${title}, all there, skipped`, {
  rounds,
  ours: async () => (await tidied(), seconds(() => upload())),
  limit: async () => (await tidied(), seconds(() => bare('DO NOTHING'))),
  unit: 's',
  better: 'lower',
});
await compare(`${title}, all there, updated`, {
  rounds,
  ours: async () => (await tidied(), seconds(() => upload({ skip_duplicates: '0' }))),
  limit: async () => (
    await tidied(),
    seconds(() =>
      bare(`DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name, updated_at = now()`),
    )
  ),
  unit: 's',
  better: 'lower',
});
const peak = await memory('VmHWM');
console.log(`memory of the service\n  idle   ${idle.toFixed(0)} MB\n  peak   ${peak.toFixed(0)} MB (bar: 100 MB more)`);
await stage.stop();
await rm(folder, { recursive: true });

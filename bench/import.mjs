// Seconds to import a CSV of 10 MB through the API, compared with COPY and INSERT … ON CONFLICT with the same indexes, and
// the memory that the service needs for it.
// node bench/import.mjs [rows] [rounds]
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { compare, report } from './fixture/compare.mjs';
import { contactsCsv } from './fixture/contacts-csv.mjs';
import { startFixture } from './fixture/service.mjs';

const [rows = 197_000, rounds = 5] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'outreach-bench-'));
const file = join(folder, 'contacts.csv');
await writeFile(file, contactsCsv(rows));
const fixture = await startFixture({ ROLE: 'api' });

const seconds = async (work) => {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
};
/** Restores the state before the first round. */
const emptyTables = async () => {
  await fixture.database.query('TRUNCATE contacts CASCADE');
  await fixture.database.query('TRUNCATE record_counts');
};
const vacuum = () => fixture.database.query('VACUUM contacts');

/** Megabytes by which the memory of the service has grown at most during each import. */
const growth = [];
const upload = async (fields = {}) => {
  const before = await memory('VmRSS');
  // Resets the peak.
  await writeFile(`/proc/${fixture.pid}/clear_refs`, '5');
  const form = new globalThis.FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', await openAsBlob(file), 'contacts.csv');
  const headers = { authorization: `Bearer ${fixture.token}` };
  const response = await fetch(`${fixture.url}/contacts/import`, { method: 'POST', headers, body: form });
  const { data } = await response.json();
  if (data?.imported + data?.updated + data?.skipped !== rows) throw new Error(JSON.stringify(data));
  growth.push((await memory('VmHWM')) - before);
};

const copyAndInsert = async (onConflict) => {
  const client = await fixture.database.connect();
  try {
    await client.query('BEGIN');
    await client.query('CREATE TEMPORARY TABLE rows (email text, first_name text, last_name text) ON COMMIT DROP');
    const copy = client.query(copyStreams.from('COPY rows FROM STDIN WITH (FORMAT csv, HEADER)'));
    await pipeline(createReadStream(file), copy);
    await client.query(
      `INSERT INTO contacts (workspace_id, email, first_name, last_name)
       SELECT $1, email, first_name, last_name FROM rows ON CONFLICT (workspace_id, email) ${onConflict}`,
      [fixture.workspaceId],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
};

const memory = async (field) =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${fixture.pid}/status`, 'utf8'))?.[1]) / 1024;
const megabytes = (await stat(file)).size / 1_048_576;

await upload();
const title = `import of ${rows} rows, ${megabytes.toFixed(1)} MB`;
await compare(`${title}, all new`, {
  rounds,
  ours: async () => (await emptyTables(), seconds(() => upload())),
  baseline: async () => (await emptyTables(), seconds(() => copyAndInsert('DO NOTHING'))),
  unit: 's',
  better: 'lower',
  bounds: { required: 1.5, target: 1.2 },
  fixture,
});
await compare(`${title}, all present, skipped`, {
  rounds,
  ours: async () => (await vacuum(), seconds(() => upload())),
  baseline: async () => (await vacuum(), seconds(() => copyAndInsert('DO NOTHING'))),
  unit: 's',
  better: 'lower',
});
await compare(`${title}, all present, updated`, {
  rounds,
  ours: async () => (await vacuum(), seconds(() => upload({ skip_duplicates: '0' }))),
  baseline: async () => (
    await vacuum(),
    seconds(() =>
      copyAndInsert(
        `DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name, updated_at = now()`,
      ),
    )
  ),
  unit: 's',
  better: 'lower',
});
report({
  title: `${title}: memory at most during an import, above that before it`,
  unit: 'MB',
  results: { ours: growth },
  bounds: { required: 100 },
});
await fixture.stop();
await rm(folder, { recursive: true });

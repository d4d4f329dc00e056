import { parse } from 'csv-parse/sync';
import type { INestApplicationContext } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { DueImports } from '../../src/contacts/imports/due-imports.cross-tenant.js';
import { ImportHeartbeat } from '../../src/contacts/imports/import-heartbeat.js';
import { Database } from '../../src/platform/database/index.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { UNKNOWN_ID } from '../support/expected.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

type Fields = Readonly<Record<string, string>>;
const ASYNC = { prefer: 'respond-async' };

const people = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `person${from + index}@example.com,Name${from + index}\n`).join('');

/** A file with three rows of which one is refused, and one is a duplicate. */
const MIXED = 'email,first_name\nann@example.com,Ann\nbad,"Bob, Jr."\nann@example.com,Again\n';

/** Holds the import that reads its file next, in its middle: when it has shown progress. */
function holdAfterProgress(): { open(): void } {
  const show = jest.spyOn(ImportHeartbeat.prototype, 'show');
  const copyIn = Object.getOwnPropertyDescriptor(Database.prototype, 'copyIn')?.value as Database['copyIn'];
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  jest.spyOn(Database.prototype, 'copyIn').mockImplementationOnce(function (this: Database, statement, source) {
    return copyIn.call(this, statement, untilOpened(source));
  });
  async function* untilOpened(source: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer | string> {
    for await (const part of source) {
      yield part;
      if (show.mock.calls.length > 0) await opened;
    }
  }
  return { open };
}

describe('Imports as records', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let api: ApiClient;
  let given: Given;
  let lock: BlockingTransaction | undefined;
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await lock?.end();
  });

  const send = (csv: string | Buffer, fields: Fields = {}, headers = {}, client = api): Promise<ApiResponse> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([csv]), 'Été\u202e 2026.csv');
    return client.post('/contacts/import', form, headers);
  };
  const accepted = async (csv: string, fields: Fields = {}, client = api): Promise<Schema<'Import'>> => {
    const { status, data, body } = await send(csv, fields, ASYNC, client);
    expect([status, body]).toEqual([202, { data: expect.any(Object) }]);
    return data;
  };
  const get = async (id: number, client = api): Promise<Schema<'Import'>> => (await client.get(`/imports/${id}`)).data;
  const ended = (id: number, client = api): Promise<Schema<'Import'>> =>
    eventually(async () => {
      const record = await get(id, client);
      expect(['pending', 'running']).not.toContain(record.status);
      return record;
    });
  const refused = async (id: number): Promise<string[][]> => {
    const { status, body } = await api.get(`/imports/${id}/refused`);
    expect(status).toBe(200);
    return parse(body as string);
  };
  const count = async (client = api): Promise<number> => (await client.get('/contacts?per_page=1')).body.meta.total;
  const rows = async (table: string): Promise<number> =>
    (await service.database.query(`SELECT 1 FROM ${table} WHERE workspace_id = $1`, [api.workspaceId])).length;
  /** Makes the imports of workspaces wait after they have begun, for the lock that adding a custom field takes. */
  const block = (clients: readonly ApiClient[]): Promise<BlockingTransaction> =>
    BlockingTransaction.begin(
      service.database,
      `SELECT pg_advisory_xact_lock(hashtextextended('custom_fields', id)) FROM unnest($1::bigint[]) id`,
      [clients.map(({ workspaceId }) => workspaceId)],
    );

  describe('within the request', () => {
    it('are records with the same result, and their refused rows are a CSV', async () => {
      const { status, data } = await send(MIXED);
      const { import_id: id, ...summary } = data;
      expect([status, summary]).toEqual([
        200,
        {
          total: 3,
          imported: 1,
          updated: 0,
          skipped: 1,
          failed: 1,
          errors: [{ row: 3, field: 'email', column: 'email', value: 'bad', message: expect.any(String) }],
        },
      ]);
      const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(await get(id)).toEqual({
        id,
        status: 'completed',
        file_name: 'Été 2026.csv',
        dry_run: false,
        progress: 1,
        ...summary,
        reason: null,
        created_at: instant,
        started_at: instant,
        completed_at: instant,
      });
      expect(await refused(id)).toEqual([
        ['email', 'first_name', 'row', 'column', 'reason'],
        ['bad', 'Bob, Jr.', '3', 'email', summary.errors[0].message],
      ]);
      const { headers } = await api.get(`/imports/${id}/refused`);
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        'text/csv; charset=utf-8',
        `attachment; filename="import-${id}-refused.csv"`,
      ]);
    });

    it('with dry_run give the same result, and store nothing but their record', async () => {
      const list = await given.group('/lists');
      const old = await given.contact({ email: 'old@example.com', first_name: 'Old' });
      await api.post('/webhooks', { url: 'https://127.0.0.1:44443/x', events: ['contact.created', 'contact.updated'] });
      const csv = `${MIXED}old@example.com,New\n`;
      const fields = { 'lists[]': String(list.id), skip_duplicates: '0' };
      const withField = csv.replace('first_name', 'custom_fields.nickname');
      const dry = await send(withField, { ...fields, dry_run: 'true' });
      expect([await count(), await rows('custom_fields'), await rows('list_members')]).toEqual([1, 0, 0]);
      expect([await rows('webhook_deliveries'), await rows('webhook_events')]).toEqual([0, 0]);
      expect((await api.get(`/contacts/${old.id}`)).data).toEqual({ ...old, lists: [], tags: [] });
      expect(await get(dry.data.import_id)).toMatchObject({ dry_run: true, status: 'completed', failed: 1 });
      expect(await refused(dry.data.import_id)).toHaveLength(2);
      const real = await send(withField, { ...fields, dry_run: '0' });
      const own = ({ import_id: _, ...result }: Schema<'Import'> & { import_id: number }) => result;
      expect(own(real.data)).toEqual(own(dry.data));
      expect([await count(), await rows('list_members')]).toEqual([2, 2]);
    });

    it('with dry_run and an Idempotency-Key are replayed, and store nothing', async () => {
      const key = { 'idempotency-key': 'dry' };
      const first = await send(MIXED, { dry_run: '1' }, key);
      const again = await send(MIXED, { dry_run: '1' }, key);
      expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
      expect([await count(), await rows('imports')]).toEqual([0, 1]);
      expect((await send(MIXED, { dry_run: 'yes' })).body.errors).toEqual({ dry_run: [expect.any(String)] });
    });

    it('are not recorded if the file as a whole is refused', async () => {
      const unclosed = `email\n${'a@example.com\n'.repeat(5_000)}"b`;
      for (const content of [
        '',
        'email\n"a',
        'Mail\na@example.com',
        Buffer.from('89504e470d0a1a0a0000', 'hex'),
        unclosed,
      ]) {
        expect((await send(content)).status).toBe(422);
        expect((await send(content, {}, ASYNC)).status).toBe(content === unclosed ? 202 : 422);
      }
      expect((await api.get('/imports')).data.map(({ status }: Schema<'Import'>) => status)).toEqual(['pending']);
    });

    it('take the mapping as one field with a JSON object, too', async () => {
      const csv = 'Mail,Prénom,Ville\nann@example.com,Anne,Nîmes\n';
      const mapping = { email: ' Mail ', first_name: 'Prénom', 'custom_fields.city': 'Ville' };
      expect((await send(csv, { mapping: JSON.stringify(mapping) })).data).toMatchObject({ imported: 1 });
      const [ann] = (await api.get('/contacts')).data;
      expect(ann).toMatchObject({ first_name: 'Anne', custom_fields: { city: 'Nîmes' } });
      const errors = async (value: string) => (await send(csv, { mapping: value })).body.errors;
      expect(await errors('{"email":"mail!","phone":7}')).toEqual({
        'mapping.email': [
          'The file has no such column. Did you mean "Mail"? Its columns are "Mail", "Prénom", "Ville".',
        ],
        'mapping.phone': ['The file has no such column. Its columns are "Mail", "Prénom", "Ville".'],
      });
      for (const value of ['[]', '"Mail"', 'null', '7', '{"email":', 'Mail'])
        expect([value, Object.keys((await errors(value)) as object)]).toEqual([value, ['mapping']]);
      expect(await errors(`{"email":"${'x'.repeat(20_000)}"}`)).toEqual({
        mapping: ['mapping must not be longer than 10,000 bytes'],
      });
      expect(Object.keys(await errors('{"__proto__":"Mail","email":"Mail"}'))).toEqual(['mapping.__proto__']);
    });
  });

  describe('refused rows', () => {
    it('are those of the reader and those of the database, in the order of the file', async () => {
      const csv =
        'Firma;email;first_name\n' +
        `${UNKNOWN_ID};a@example.com;=1+1\n` +
        ';bad;B\n' +
        `${UNKNOWN_ID};c@example.com;"C; D"\n` +
        ';d@example.com;D;too;many\n' +
        ';e@example.com\n';
      const mapping = JSON.stringify({ email: 'email', company_id: 'Firma', first_name: 'first_name' });
      const { data } = await send(csv, { mapping });
      expect(data).toMatchObject({ total: 5, imported: 1, failed: 4 });
      expect(data.errors.map((error: Record<string, unknown>) => [error.row, error.column, error.value])).toEqual([
        [2, 'Firma', String(UNKNOWN_ID)],
        [3, 'email', 'bad'],
        [4, 'Firma', String(UNKNOWN_ID)],
        [5, null, null],
      ]);
      expect((await refused(data.import_id)).map((row) => row.slice(0, 5))).toEqual([
        ['Firma', 'email', 'first_name', 'row', 'column'],
        [String(UNKNOWN_ID), 'a@example.com', "'=1+1", '2', 'Firma'],
        ['', 'bad', 'B', '3', 'email'],
        [String(UNKNOWN_ID), 'c@example.com', 'C; D', '4', 'Firma'],
        ['', 'd@example.com', 'D;too;many', '5', ''],
      ]);
    });

    it('are all in the CSV, which can be corrected and imported again', async () => {
      const { data } = await send(`email,first_name\n${people(25_000).replaceAll('@', ' at ')}`);
      expect([data.failed, data.errors.length]).toEqual([25_000, 100]);
      const csv = (await api.get(`/imports/${data.import_id}/refused`)).body as string;
      expect(parse(csv).length).toBe(25_001);
      expect((await send(csv.replaceAll(' at ', '@'))).data).toMatchObject({ imported: 25_000, failed: 0 });
    });

    it('have values of at most a hundred characters in errors, and the cell itself in the CSV', async () => {
      const long = '🎉'.repeat(150);
      const { data } = await send(`email\n${long}\n`);
      expect([...data.errors[0].value]).toHaveLength(100);
      expect((await refused(data.import_id))[1]?.[0]).toBe(long);
    });

    it('of the oldest imports are deleted if a workspace has too many', async () => {
      const ids: number[] = [];
      for (const name of ['a', 'b']) ids.push((await send(`email\n${name}\n`)).data.import_id);
      await service.database.query('UPDATE imports SET refused_bytes = 150000000 WHERE id = ANY($1)', [ids]);
      ids.push((await send('email\nc\n')).data.import_id);
      const statuses = await Promise.all(ids.map(async (id) => (await api.get(`/imports/${id}/refused`)).status));
      expect(statuses).toEqual([404, 200, 200]);
      expect(await rows('import_refused_rows')).toBe(2);
    });
  });

  describe('in the background', () => {
    it('are accepted at once with their location, and pending until a worker takes them', async () => {
      const { status, headers, data } = await send(
        MIXED,
        { dry_run: '0' },
        { prefer: 'wait=5, Respond-Async; x="a,b"' },
      );
      expect([status, headers.get('location'), headers.get('preference-applied')]).toEqual([
        202,
        `${service.config.public_url}/v1/imports/${data.id}`,
        'respond-async',
      ]);
      expect(data).toEqual({
        id: expect.any(Number),
        status: 'pending',
        file_name: 'Été 2026.csv',
        dry_run: false,
        progress: 0,
        total: 0,
        imported: 0,
        updated: 0,
        skipped: 0,
        failed: 0,
        errors: [],
        reason: null,
        created_at: expect.any(String),
        started_at: null,
        completed_at: null,
      });
      expect(await get(data.id)).toEqual(data);
      expect((await api.get(`/imports/${data.id}/refused`)).body).toMatchObject({
        code: 409,
        reason: 'import_not_ended',
      });
      for (const prefer of ['wait=5', 'x="respond-async"', 'respond-asynchronously', '']) {
        expect((await send('email\n', {}, { prefer })).status).toBe(200);
      }
    });

    it('are cancelled before a worker takes them, once', async () => {
      const { id } = await accepted(MIXED);
      const { status, data } = await api.post(`/imports/${id}/cancel`);
      expect([status, data.status, data.completed_at]).toEqual([200, 'cancelled', expect.any(String)]);
      expect(await rows('import_file_parts')).toBe(0);
      const again = await api.post(`/imports/${id}/cancel`);
      expect([again.status, again.body.reason]).toEqual([409, 'import_ended']);
      expect(await refused(id)).toEqual([['row', 'column', 'reason']]);
      const completed = (await send(MIXED)).data.import_id;
      expect((await api.post(`/imports/${completed}/cancel`)).status).toBe(409);
      expect((await api.post(`/imports/${completed}/cancel`, { x: 1 })).status).toBe(422);
    });

    it('have a limit for each workspace, in files and in bytes', async () => {
      const other = await service.client();
      const large = `email,first_name\n${'x'.repeat(9_900_000)}`;
      for (let files = 0; files < 10; files++) await accepted(large);
      const refusedOne = await send(large, {}, ASYNC);
      expect([refusedOne.status, refusedOne.body.reason, refusedOne.headers.get('retry-after')]).toEqual([
        429,
        'busy',
        '1',
      ]);
      for (let files = 10; files < 20; files++) await accepted('email\n');
      expect((await send('email\n', {}, ASYNC)).status).toBe(429);
      expect((await send('email\n', {}, ASYNC, other)).status).toBe(202);
      const [first] = (await api.get('/imports?sort=created_at&direction=asc')).data;
      await api.post(`/imports/${first.id}/cancel`);
      expect((await send('email\n', {}, ASYNC)).status).toBe(202);
    });

    it('with an Idempotency-Key are accepted once, and the replayed response has its headers', async () => {
      const key = { ...ASYNC, 'idempotency-key': 'async' };
      const first = await send(MIXED, {}, key);
      const again = await send(MIXED, {}, key);
      expect([again.status, again.body]).toEqual([202, first.body]);
      for (const header of ['location', 'preference-applied'])
        expect(again.headers.get(header)).toBe(first.headers.get(header));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect([await rows('imports'), await rows('import_file_parts')]).toEqual([1, 1]);
    });
  });

  describe('GET /imports', () => {
    it('lists, filters and sorts the imports of the workspace', async () => {
      const other = await service.client();
      const theirs = await accepted(MIXED, {}, other);
      const sync = (await send(MIXED, { dry_run: '1' })).data.import_id;
      const pending = await accepted(MIXED);
      const ids = async (query = ''): Promise<number[]> =>
        (await api.get(`/imports${query}`)).data.map(({ id }: Schema<'Import'>) => id);
      expect(await ids()).toEqual([pending.id, sync]);
      expect(await ids('?direction=asc&per_page=1')).toEqual([sync]);
      expect([await ids('?status=pending'), await ids('?status=completed')]).toEqual([[pending.id], [sync]]);
      expect([await ids('?dry_run=1'), await ids('?search=2026')]).toEqual([[sync], [pending.id, sync]]);
      expect([await ids('?sort=status&direction=asc'), await ids('?sort=completed_at')]).toEqual([
        [pending.id, sync],
        [sync, pending.id],
      ]);
      expect((await api.get('/imports')).body).toMatchObject({ links: expect.any(Object), meta: { total: 2 } });
      const wrong = await api.get('/imports?status=lost&dry_run=x&sort=id');
      expect(Object.keys(wrong.body.errors as object).sort()).toEqual(['dry_run', 'sort', 'status']);
      for (const path of [`/imports/${theirs.id}`, `/imports/${theirs.id}/refused`, `/imports/${UNKNOWN_ID}`])
        expect((await api.get(path)).status).toBe(404);
      expect((await api.post(`/imports/${theirs.id}/cancel`)).status).toBe(404);
    });

    it('needs contacts:read, and the cancellation contacts:write', async () => {
      const { id } = await accepted(MIXED);
      const [reader, writer] = [await service.client(['contacts:read']), await service.client(['contacts:write'])];
      for (const path of ['', `/${id}`, `/${id}/refused`])
        expect((await writer.get(`/imports${path}`)).status).toBe(403);
      expect((await reader.post(`/imports/${id}/cancel`)).status).toBe(403);
    });
  });

  it('are deleted after 30 days with their refused rows, if they have ended', async () => {
    const old = (await send(MIXED)).data.import_id;
    const recent = (await send(MIXED)).data.import_id;
    const waiting = await accepted(MIXED);
    await service.database.query(`UPDATE imports SET created_at = now() - interval '31 days' WHERE id = ANY($1)`, [
      [old, waiting.id],
    ]);
    // Without a worker, which could complete the waiting one before.
    await new DueImports(service.app.get(Database, { strict: false })).deleteExpired();
    const left = await service.database.query<{ id: string }>('SELECT id FROM imports WHERE workspace_id = $1', [
      api.workspaceId,
    ]);
    expect(left.map(({ id }) => Number(id)).sort()).toEqual([recent, waiting.id].sort());
    expect(await rows('import_refused_rows')).toBeGreaterThanOrEqual(1);
  });

  describe('with a worker', () => {
    let worker: INestApplicationContext;
    beforeAll(async () => {
      await service.database.query(`DELETE FROM imports WHERE status IN ('pending', 'running')`);
      worker = await service.startWorker();
    });
    afterAll(() => worker.close());

    it('have the same result as within the request, and their file is deleted', async () => {
      const list = await given.group('/lists');
      const { id } = await accepted(MIXED, { 'lists[]': String(list.id) });
      expect(await ended(id)).toMatchObject({
        status: 'completed',
        progress: 1,
        total: 3,
        imported: 1,
        skipped: 1,
        failed: 1,
        errors: [{ row: 3, field: 'email', column: 'email', value: 'bad' }],
        started_at: expect.any(String),
        completed_at: expect.any(String),
      });
      expect(await refused(id)).toHaveLength(2);
      expect((await api.get(`/lists/${list.id}`)).data.contacts_count).toBe(1);
      expect(await rows('import_file_parts')).toBe(0);
    });

    it('with dry_run store nothing', async () => {
      const { id } = await accepted(MIXED, { dry_run: '1' });
      expect(await ended(id)).toMatchObject({ status: 'completed', dry_run: true, imported: 1, failed: 1 });
      expect(await count()).toBe(0);
    });

    it('fail with the reason if a row cannot be read, and store nothing', async () => {
      const { id } = await accepted(`email\n${'a@example.com\n'.repeat(3_000)}"b@example.com\n`);
      expect(await ended(id)).toMatchObject({
        status: 'failed',
        reason: 'The file has a quote that is never closed, in row 3002.',
        total: 0,
        imported: 0,
        errors: [],
      });
      expect([await count(), await rows('import_file_parts')]).toEqual([0, 0]);
    });

    it('fail with the reason if a list was deleted meanwhile', async () => {
      const list = await given.group('/lists');
      lock = await block([api]);
      const first = await accepted('email,custom_fields.a\na@example.com,1\n');
      const second = await accepted('email\nb@example.com\n', { 'lists[]': String(list.id) });
      await lock.blocks(1);
      expect((await api.delete(`/lists/${list.id}`)).status).toBe(204);
      await lock.end();
      expect(await ended(first.id)).toMatchObject({ status: 'completed' });
      expect(await ended(second.id)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('no longer exists'),
      });
      expect(await count()).toBe(1);
    });

    it('fail at once with the reason if the folder for temporary files is gone; then an upload is 503', async () => {
      lock = await block([api]);
      const first = await accepted('email,custom_fields.a\na@example.com,1\n');
      const second = await accepted('email\nb@example.com\n');
      await lock.blocks(1);
      const before = process.env.TMPDIR;
      process.env.TMPDIR = '/nowhere';
      try {
        await lock.end();
        expect(await ended(first.id)).toMatchObject({ status: 'completed' });
        expect(await ended(second.id)).toMatchObject({
          status: 'failed',
          reason: expect.stringMatching(
            /^The worker could not store the file: .* \(ENOENT\)\. Nothing was imported\.$/,
          ),
        });
        const unavailable = { error: 'InternalServerError', code: 503, reason: 'unavailable', errors: null };
        const logged = jest.spyOn(Log.prototype, 'error');
        expect((await send('email\nc@example.com\n')).body).toMatchObject(unavailable);
        const error = expect.objectContaining({ message: expect.stringContaining(' /nowhere ') });
        expect(logged).toHaveBeenCalledWith('request failed', expect.objectContaining({ error }));
      } finally {
        if (before === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = before;
      }
      expect(await count()).toBe(1);
    });

    it('show that they are running, are cancelled while a statement waits, and leave nothing', async () => {
      lock = await block([api]);
      const { id } = await accepted('email,custom_fields.a\na@example.com,1\n');
      await lock.blocks(1);
      await eventually(async () => expect(await get(id)).toMatchObject({ status: 'running', completed_at: null }));
      const { status, data } = await api.post(`/imports/${id}/cancel`);
      expect([status, data.status]).toEqual([200, 'cancelled']);
      await lock.blocks(0);
      await lock.end();
      expect(await get(id)).toMatchObject({ status: 'cancelled', imported: 0 });
      expect([await count(), await rows('custom_fields'), await rows('import_file_parts')]).toEqual([0, 0, 0]);
      const next = await accepted(MIXED);
      expect(await ended(next.id)).toMatchObject({ status: 'completed', imported: 1 });
    });

    it('show growing progress while they run, and are cancelled while they read a large file', async () => {
      const gate = holdAfterProgress();
      const { id } = await accepted(`email,first_name\n${people(150_000)}`);
      const running = await eventually(async () => {
        const record = await get(id);
        expect(record).toMatchObject({ status: 'running' });
        expect(record.progress).toBeGreaterThan(0);
        return record;
      });
      expect(running.progress).toBeLessThan(1);
      expect((await api.post(`/imports/${id}/cancel`)).status).toBe(200);
      gate.open();
      const next = await accepted('email\nann@example.com\n');
      expect(await ended(next.id)).toMatchObject({ status: 'completed', imported: 1 });
      expect(await count()).toBe(1);
    });

    it('of a workspace run in their order, one at a time, and another workspace does not wait for all of them', async () => {
      const other = await service.client();
      lock = await block([api]);
      const mine: Schema<'Import'>[] = [];
      for (let n = 0; n < 5; n++) mine.push(await accepted(`email,custom_fields.a\na${n}@example.com,1\n`));
      await lock.blocks(1);
      const theirs = await accepted('email,custom_fields.a\nann@example.com,1\n', {}, other);
      expect(await ended(theirs.id, other)).toMatchObject({ status: 'completed', imported: 1 });
      expect((await api.get('/imports?status=running')).data).toHaveLength(1);
      expect((await api.get('/imports?status=pending')).data).toHaveLength(4);
      await lock.end();
      const all = await Promise.all(mine.map(({ id }) => ended(id)));
      const instants = all.map(({ completed_at: at }) => String(at));
      expect(instants).toEqual([...instants].sort());
      expect(await count()).toBe(5);
    });

    it('begin anew after their connection was lost', async () => {
      lock = await block([api]);
      const { id } = await accepted('email,custom_fields.a\na@example.com,1\n');
      await lock.blocks(1);
      await lock.endBlocked();
      await lock.end();
      await eventually(async () => {
        // Repeated, because the lost attempt may renew its lease once more before it has noticed the loss.
        await service.database.query(
          `UPDATE imports SET lease_until = now() - interval '2 minutes' WHERE id = $1 AND attempts = 1`,
          [id],
        );
        expect(await get(id)).toMatchObject({ status: 'completed', imported: 1 });
      });
    });
  });
});

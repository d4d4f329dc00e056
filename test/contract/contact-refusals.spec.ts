import { createHmac, randomBytes } from 'node:crypto';
import { ContactStatuses } from '../../src/contacts/index.js';
import { keyIsNeeded } from '../../src/app/encryption-keys.cross-tenant.js';
import { HashKeyLost, HashKeyStore, HmacKey } from '../../src/platform/keyed-hash/index.js';
import { Keyring } from '../../src/platform/crypto/index.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { startService, useSharedService } from '../support/service.js';

describe('A refusal outlives the record of the contact', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const unsubscribed = async (email = 'ada@example.com') => {
    const contact = await given.contact({ email });
    return (await api.post(`/contacts/${contact.id}/unsubscribe`)).data;
  };
  const complained = async (email = 'ada@example.com') => {
    const contact = await given.contact({ email });
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    await service.app.get(ContactStatuses).markComplained(scope, sql`SELECT ${contact.id}::bigint`, 'service');
    return (await api.get(`/contacts/${contact.id}`)).data;
  };
  const remove = async ({ id }: { id: number }) => expect((await api.delete(`/contacts/${id}`)).status).toBe(204);
  const upload = async (csv: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([csv]), 'contacts.csv');
    return (await api.post('/contacts/import', form)).data;
  };
  const found = async (email: string) => {
    const { data } = await api.get(`/contacts?search=${email}`);
    return data[0];
  };

  it('creating a deleted contact that had unsubscribed returns 201, unsubscribed since the first date', async () => {
    const { unsubscribed_at, ...first } = await unsubscribed();
    await remove(first);
    const { status, body } = await api.post('/contacts', { email: 'ADA@example.com' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'unsubscribed', unsubscribed_at });
    expect((await api.get(`/contacts/${body.id}`)).data).toEqual(body);
    await remove(body);
    expect(await given.contact({ email: 'ada@example.com' })).toMatchObject({
      status: 'unsubscribed',
      unsubscribed_at,
    });
  });

  it('creating a deleted contact that had complained returns 201, complained since the first date', async () => {
    const first = await complained();
    expect(first).toMatchObject({ status: 'complained', unsubscribed_at: expect.any(String) });
    await remove(first);
    const again = await given.contact({ email: first.email });
    expect(again).toMatchObject({ status: 'complained', unsubscribed_at: first.unsubscribed_at });
    expect((await api.post(`/contacts/${again.id}/resubscribe`)).status).toBe(422);
  });

  it('a bounce after the unsubscription does not hide it', async () => {
    const { id, email, unsubscribed_at } = await unsubscribed();
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    await service.app.get(ContactStatuses).markBounced(scope, sql`SELECT ${id}::bigint`, 'service');
    await remove({ id });
    expect(await given.contact({ email })).toMatchObject({ status: 'unsubscribed', unsubscribed_at });
  });

  it('an active or bounced contact that is deleted and created again is active', async () => {
    const contact = await given.contact();
    await remove(contact);
    expect(await given.contact({ email: contact.email })).toMatchObject({ status: 'active', unsubscribed_at: null });
  });

  it('an import counts the address as imported, and its contact is unsubscribed', async () => {
    const { unsubscribed_at, ...first } = await unsubscribed();
    const other = await complained('eve@example.com');
    await Promise.all([remove(first), remove(other)]);
    const summary = await upload('email,first_name\nada@example.com,Ada\neve@example.com,Eve\nnew@example.com,New\n');
    expect(summary).toMatchObject({ total: 3, imported: 3, updated: 0, skipped: 0, failed: 0 });
    expect(await found('ada@example.com')).toMatchObject({
      status: 'unsubscribed',
      unsubscribed_at,
      first_name: 'Ada',
    });
    expect(await found('eve@example.com')).toMatchObject({ status: 'complained' });
    expect(await found('new@example.com')).toMatchObject({ status: 'active', unsubscribed_at: null });
  });

  it('the webhook events of the created contact show that it is unsubscribed', async () => {
    await api.post('/webhooks', { url: 'https://127.0.0.1/w', events: ['contact.created'] });
    await remove(await unsubscribed());
    await given.contact({ email: 'ada@example.com' });
    const rows = await service.database.query<{ status: string }>(
      `SELECT payload::jsonb #>> '{data,status}' AS status FROM webhook_events WHERE workspace_id = $1 ORDER BY id`,
      [api.workspaceId],
    );
    expect(rows.map(({ status }) => status)).toEqual(['active', 'unsubscribed']);
  });

  it('giving a contact another address leaves it unsubscribed, and the address that it had is remembered', async () => {
    const first = await unsubscribed();
    const renamed = (await api.put(`/contacts/${first.id}`, { email: 'ada@new.example' })).data;
    expect(renamed).toMatchObject({ status: 'unsubscribed', unsubscribed_at: first.unsubscribed_at });
    const second = await given.contact({ email: first.email });
    expect(second).toMatchObject({ status: 'unsubscribed', unsubscribed_at: first.unsubscribed_at });
  });

  it('giving an active contact a remembered address makes it unsubscribed', async () => {
    const { id, unsubscribed_at } = await unsubscribed();
    await remove({ id });
    const contact = await given.contact();
    const { status, data } = await api.put(`/contacts/${contact.id}`, { email: 'ada@example.com' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ email: 'ada@example.com', status: 'unsubscribed', unsubscribed_at });
  });

  it('giving an enrolled contact a remembered address ends its enrollments', async () => {
    await remove(await complained());
    const contact = await given.contact();
    const campaign = await given.campaign();
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
    const { data } = await api.put(`/contacts/${contact.id}`, { email: 'ada@example.com' });
    expect(data).toMatchObject({ status: 'complained' });
    expect((await api.get(`/campaigns/${campaign.id}/contacts`)).data).toMatchObject([{ status: 'unsubscribed' }]);
  });

  it('no request makes a contact active that complained', async () => {
    const { id, email } = await complained();
    const attempts = [
      await api.post(`/contacts/${id}/unsubscribe`),
      await api.post(`/contacts/${id}/resubscribe`),
      await api.put(`/contacts/${id}`, { status: 'active', unsubscribed_at: null, first_name: 'Ada' }),
      await api.put(`/contacts/${id}`, { email: 'ada@new.example' }),
      await api.post(`/contacts/${id}/unsubscribe`),
      await api.put(`/contacts/${id}`, { email }),
      await api.post(`/contacts/${id}/resubscribe`),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([200, 422, 422, 200, 200, 200, 422]);
    await upload(`email,first_name,status\n${email},Eve,active\n`, { skip_duplicates: '0' });
    expect(await found(email)).toMatchObject({ id, first_name: null, status: 'complained' });
    expect((await api.post(`/contacts/${id}/unsubscribe`)).data).toMatchObject({ status: 'unsubscribed' });
    await remove({ id });
    expect(await given.contact({ email })).toMatchObject({ status: 'complained' });
  });

  it('resubscribe clears it for the address, and nothing else does', async () => {
    await remove(await unsubscribed());
    const again = await given.contact({ email: 'ada@example.com' });
    await api.put(`/contacts/${again.id}`, { first_name: 'Ada', email: 'ada@example.com', status: 'active' });
    expect((await api.post(`/contacts/${again.id}/resubscribe`)).data).toMatchObject({ status: 'active' });
    await remove(again);
    expect(await given.contact({ email: 'ada@example.com' })).toMatchObject({ status: 'active' });
  });

  it('is unknown to other workspaces', async () => {
    await remove(await unsubscribed());
    const other = new Given(await service.client(), service.database);
    expect(await other.contact({ email: 'ada@example.com' })).toMatchObject({ status: 'active' });
  });

  it('is seen by a request that creates the contact while another one deletes it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await unsubscribed(`race${round}@example.com`);
      const create = async (): Promise<{ status: string }> => {
        const { status, body } = await api.post('/contacts', { email: first.email });
        return status === 201 ? body : create();
      };
      const [created] = await Promise.all([create(), remove(first)]);
      expect(created.status).toBe('unsubscribed');
    }
  });

  it('stores neither the address nor a hash that can be computed without the key', async () => {
    await remove(await unsubscribed());
    const rows = await service.database.query<{ hash: Buffer }>(
      'SELECT hash FROM contact_refusals WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect(rows).toHaveLength(1);
    const [plain] = await service.database.query<{ hash: Buffer }>(`SELECT sha256($1::text::bytea) AS hash`, [
      `${api.workspaceId}:ada@example.com`,
    ]);
    expect(rows[0]?.hash).toHaveLength(32);
    expect(rows[0]?.hash).not.toEqual(plain?.hash);
  });

  it('PostgreSQL computes the HMAC that Node computes', async () => {
    const bytes = randomBytes(32);
    const key = new HmacKey(bytes);
    const [row] = await service.app
      .get(Database)
      .query<{ hash: Buffer }>(sql`SELECT ${key.hash(sql`'Zoé@example.com'`)} AS hash`);
    expect(row?.hash).toEqual(createHmac('sha256', bytes).update('Zoé@example.com').digest());
    expect(key.digest('Zoé@example.com')).toEqual(row?.hash);
  });
});

describe('The key of the remembered addresses', () => {
  it('stays the same when ENCRYPTION_KEY rotates, and the older encryption key can be removed after a start', async () => {
    const [older, newer] = ['the older key of this test', 'the newer key of this test'];
    const first = await startService({ ENCRYPTION_KEY: older });
    try {
      const api = await first.client();
      const { body } = await api.post('/contacts', { email: 'ada@example.com' });
      await api.post(`/contacts/${body.id}/unsubscribe`);
      await api.delete(`/contacts/${body.id}`);
      await (await startService({ ENCRYPTION_KEY: `${newer},${older}` }, first.database)).stop();
      const second = await startService({ ENCRYPTION_KEY: newer }, first.database);
      const client = new ApiClient(second.url, api.token, api.workspaceId);
      const again = await client.post('/contacts', { email: 'ada@example.com' });
      await second.stop();
      expect(again.body).toMatchObject({ status: 'unsubscribed' });
      const withoutKey = new HashKeyStore(first.app.get(Database), new Keyring([older]), keyIsNeeded);
      await expect(withoutKey.onModuleInit()).rejects.toThrow(HashKeyLost);
    } finally {
      await first.stop();
    }
  });

  it.each([
    ['webhooks', { url: 'https://example.com/hook', events: ['email.sent'] }],
    [
      'email-accounts',
      {
        ...{ name: 'Mailbox', type: 'smtp', from_email: 'ann@example.com', from_name: 'Ann' },
        ...{ smtp_host: 'example.com', smtp_port: 587, smtp_username: 'ann', smtp_password: 'secret' },
      },
    ],
  ])('is replaced if it is lost before there are %s, and not after that', async (path, record) => {
    const first = await startService({ ENCRYPTION_KEY: 'the lost key of this test' });
    try {
      const api = await first.client();
      const startWith = (key: string) =>
        new HashKeyStore(first.app.get(Database), new Keyring([key]), keyIsNeeded).onModuleInit();
      await startWith('another key of this test');
      expect((await api.post(`/${path}`, record)).status).toBe(201);
      await expect(startWith('a third key of this test')).rejects.toThrow(HashKeyLost);
      await startWith('another key of this test');
      await first.database.query('DELETE FROM refusal_key');
      await startWith('a third key of this test');
    } finally {
      await first.stop();
    }
  });
});

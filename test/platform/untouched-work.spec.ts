import { Log } from '@outreach/logging';
import { UntouchedKeys, WORKER } from '@outreach/job-queue';
import { DueImports } from '../../src/contacts/imports/due-imports.cross-tenant.js';
import { untouchedReadings } from '../../src/inbound/mailboxes/due-readings.cross-tenant.js';
import { CallbackBatches } from '../../src/inbound/events/callback-batches.js';
import { CallbackDrains } from '../../src/inbound/events/callback-drains.js';
import { DueCallbacks } from '../../src/inbound/events/due-callbacks.cross-tenant.js';
import { Database } from '../../src/platform/database/index.js';
import { untouchedClocks } from '../../src/sandbox/clock/due-clocks.cross-tenant.js';
import { untouchedCampaigns } from '../../src/sending/planning/due-campaigns.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** More of a campaign than planning queues for one account. */
const FULL = 800;

describe('due work that no worker has touched for a minute', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const database = (): Database => service.app.get(Database, { strict: false });
  const update = (statement: string, ...values: unknown[]) =>
    service.database.query(statement, [api.workspaceId, ...values]);
  /** Those of the workspace. Each is read anew, without what was read for an earlier check. */
  const own = async (keys: Promise<readonly { workspace_id: number; id: number }[]>): Promise<number[]> =>
    (await keys).filter((key) => key.workspace_id === api.workspaceId).map(({ id }) => id);

  describe('of planning', () => {
    const untouched = () => own(new UntouchedKeys(database(), untouchedCampaigns).find());
    const due = (ago: string) =>
      update(`UPDATE due_steps SET due_at = now() - $2::interval WHERE workspace_id = $1`, ago);
    const queued = (count: number, accountId: number, createdAgo: string) =>
      update(
        `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, email_account_id, next_attempt_at, created_at)
         SELECT $1, campaign_id, id, contact_id, $3, 'infinity', now() - $4::interval
         FROM (SELECT * FROM enrollments WHERE workspace_id = $1 LIMIT 1) enrollment, generate_series(1, $2::int)`,
        count,
        accountId,
        createdAgo,
      );
    const running = async (fields: object = {}) => {
      const account = await given.mailbox(sink);
      const campaign = await given.running(await given.contacts(2), fields);
      return { account, campaign };
    };

    it('is a campaign with steps that were due for so long', async () => {
      const { campaign } = await running();
      await due('30 seconds');
      expect(await untouched()).toEqual([]);
      await due('2 minutes');
      expect(await untouched()).toEqual([campaign.id]);
    });

    it('is not one that is paused, or of which messages are queued', async () => {
      const { account, campaign } = await running();
      await due('2 minutes');
      await queued(1, account.id, '10 seconds');
      expect(await untouched()).toEqual([]);
      await update(`UPDATE queued_messages SET created_at = now() - interval '2 minutes' WHERE workspace_id = $1`);
      expect(await untouched()).toEqual([campaign.id]);
      await api.post(`/campaigns/${campaign.id}/pause`);
      expect(await untouched()).toEqual([]);
    });

    it('is not one whose account has as many of its messages as may wait', async () => {
      const { account } = await running();
      await due('2 minutes');
      await queued(FULL, account.id, '1 hour');
      expect(await untouched()).toEqual([]);
    });

    it('is not one whose new contacts wait for another day', async () => {
      await running();
      await due('2 minutes');
      await update(`UPDATE campaigns SET new_contacts_from = now() + interval '1 hour' WHERE workspace_id = $1`);
      expect(await untouched()).toEqual([]);
    });
  });

  it('of imports is the first one of a workspace, unless a worker has tried it', async () => {
    const untouched = () => own(new DueImports(database()).untouched.find());
    const form = new FormData();
    form.append('file', new Blob(['email\na@example.com\n']), 'file.csv');
    const { data } = await api.post('/contacts/import', form, { prefer: 'respond-async' });
    expect(await untouched()).toEqual([]);
    await update(
      `UPDATE imports SET created_at = now() - interval '2 minutes', updated_at = now() - interval '2 minutes' WHERE workspace_id = $1`,
    );
    expect(await untouched()).toEqual([data.id]);
    await update('UPDATE imports SET updated_at = now() WHERE workspace_id = $1');
    expect(await untouched()).toEqual([]);
    await update(
      `UPDATE imports SET updated_at = now() - interval '2 minutes', leased_by = $2, lease_until = now() + interval '1 minute'
       WHERE workspace_id = $1`,
      WORKER,
    );
    expect(await untouched()).toEqual([]);
  });

  it('of mailboxes is one that is due and not leased', async () => {
    const untouched = () => own(new UntouchedKeys(database(), untouchedReadings).find());
    const imap = { imap_host: 'imap.nowhere.invalid', imap_port: 993, imap_username: 'ann', imap_password: 'secret' };
    const { id } = await given.mailbox(sink, imap);
    const due = (ago: string) =>
      update('UPDATE mailbox_readings SET next_read_at = now() - $2::interval WHERE workspace_id = $1', ago);
    await due('30 seconds');
    expect(await untouched()).toEqual([]);
    await due('2 minutes');
    expect(await untouched()).toEqual([id]);
    await update(
      `UPDATE mailbox_readings SET leased_by = $2, lease_until = now() + interval '1 minute' WHERE workspace_id = $1`,
      WORKER,
    );
    expect(await untouched()).toEqual([]);
  });

  it('of callbacks is a workspace with one that is due, and does not wait for another attempt', async () => {
    const untouched = () => own(new DueCallbacks(database()).lateWorkspaces.find());
    await update(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at, next_attempt_at)
       VALUES ($1, 'sendgrid', '[]', 0, now() - interval '1 hour', now() + interval '1 minute')`,
    );
    expect(await untouched()).toEqual([]);
    await update(
      `UPDATE provider_callbacks SET next_attempt_at = now() - interval '2 minutes' WHERE workspace_id = $1`,
    );
    expect(await untouched()).toEqual([api.workspaceId]);
  });

  describe('of callbacks in the process that polls', () => {
    let drains: CallbackDrains;
    let passed = 0;
    beforeEach(async () => {
      passed = 0;
      await service.database.query('DELETE FROM provider_callbacks');
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
      const batches = service.app.get(CallbackBatches, { strict: false });
      drains = new CallbackDrains(new DueCallbacks(database()), batches, new Log('silent'));
      await update(
        `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at, next_attempt_at)
         VALUES ($1, 'sendgrid', '[]', 0, now(), now() - interval '2 minutes')`,
      );
    });
    afterEach(async () => {
      await drains.beforeApplicationShutdown();
      jest.restoreAllMocks();
    });
    const found = (...ids: readonly number[]) =>
      drains.dueWork().found(
        ids.map((id) => ({ workspace_id: id, id })),
        true,
      );
    const stalledLater = async () => {
      await drains.stalledCallbacks();
      passed += 20_000;
      return drains.stalledCallbacks();
    };

    it('is a stall if they are found and left alone at two checks, until they are drained', async () => {
      expect(await stalledLater()).toBeUndefined();
      await found();
      expect(await drains.stalledCallbacks()).toBeUndefined();
      expect(await stalledLater()).toBe('callbacks');
      await found(api.workspaceId);
      await eventually(async () =>
        expect(await service.database.query('SELECT 1 FROM provider_callbacks')).toEqual([]),
      );
      expect(await drains.stalledCallbacks()).toBeUndefined();
    });

    it('is none in a process that does not poll any more', async () => {
      await found();
      expect(await stalledLater()).toBe('callbacks');
      passed += 60_000;
      expect(await drains.stalledCallbacks()).toBeUndefined();
    });

    it('is none while other workspaces have all places', async () => {
      const others = [await service.client(), await service.client(), await service.client()];
      // Reading them is possible, taking them is not.
      const lock = await BlockingTransaction.begin(
        service.database,
        'LOCK TABLE provider_callbacks IN EXCLUSIVE MODE',
        [],
      );
      await found(...others.map(({ workspaceId }) => workspaceId));
      await lock.blocks(others.length);
      expect(await stalledLater()).toBeUndefined();
      await lock.end();
    });
  });

  it('of clocks is one that is to be put forward and that no worker has', async () => {
    const untouched = () => own(new UntouchedKeys(database(), untouchedClocks).find());
    api = await service.sandbox();
    const wait = (ago: string) =>
      update(
        `INSERT INTO sandbox_clocks (workspace_id, id, target, touched_at) VALUES ($1, $1, now() + interval '1 hour', now() - $2::interval)
         ON CONFLICT (workspace_id, id) DO UPDATE SET touched_at = excluded.touched_at`,
        ago,
      );
    await wait('30 seconds');
    expect(await untouched()).toEqual([]);
    await wait('2 minutes');
    expect(await untouched()).toEqual([api.workspaceId]);
    await update('UPDATE sandbox_clocks SET target = NULL WHERE workspace_id = $1');
    expect(await untouched()).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { WORKER } from '@outreach/job-queue';
import { allInRealTime, Database } from '../../src/platform/database/index.js';
import type { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { releaseAccount } from '../../src/sending/account-leases.queries.js';
import { claim } from '../../src/sending/dispatch/claim.queries.js';
import { accountsWithDueMessages, dueAccounts } from '../../src/sending/due-work.cross-tenant.js';
import { accountCapacities } from '../../src/sending/planning/capacity.queries.js';
import { Workspaces } from '../../src/workspaces/index.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** That of `worker-session.ts`. */
const WORKER_LOCKS = 1_795_200;
const MESSAGES = 6;

describe('an account with due messages that a worker has leased', () => {
  const service = useService();
  let sink: MailSink;
  let scope: WorkspaceScope;
  let account: { id: number };
  let campaign: { id: number };
  let other: string;
  let session: pg.Client;

  const database = (): Database => service.app.get(Database, { strict: false });

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());

  beforeEach(async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    account = await given.mailbox(sink);
    campaign = await given.running(await given.contacts(MESSAGES));
    await service.database.query(
      `WITH planned AS (DELETE FROM due_steps WHERE workspace_id = $1 RETURNING enrollment_id)
       INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id)
       SELECT $1, enrollment.campaign_id, enrollment.id, enrollment.contact_id, enrollment.current_step_id, $2
       FROM planned JOIN enrollments enrollment ON enrollment.workspace_id = $1 AND enrollment.id = planned.enrollment_id`,
      [scope.workspace_id, account.id],
    );
    other = randomUUID();
    session = new pg.Client({ connectionString: service.database.url });
    await session.connect();
    await session.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [WORKER_LOCKS, other]);
  });
  afterEach(() => session.end());

  const claimBy = async (worker: string): Promise<number> => {
    const claimed = await claim(scope, account.id, worker, 2);
    return claimed.kind === 'claimed' ? claimed.messages.length : 0;
  };
  const found = async (select: typeof dueAccounts): Promise<boolean> => {
    const rows = await database().query<{ id: number }>(select(allInRealTime));
    return rows.some(({ id }) => id === account.id);
  };

  it('is left alone by claims, the poll and planning of other workers, and claimed by its own', async () => {
    expect(await claimBy(other)).toBe(2);
    expect(await claimBy(WORKER)).toBe(0);
    expect([await found(dueAccounts), await found(accountsWithDueMessages)]).toEqual([false, true]);
    const facts = { id: campaign.id, status: 'active', schedule: null, min_days_since_last_message: null } as const;
    expect(await accountCapacities(scope, facts)).toMatchObject([{ id: account.id, is_leased: true }]);
    await releaseAccount(scope, account.id, other);
    expect(await claimBy(WORKER)).toBe(2);
    expect(await claimBy(WORKER)).toBe(2);
  });

  it('is taken over as soon as the session of its worker has ended', async () => {
    await claimBy(other);
    await session.end();
    await eventually(async () => expect(await found(dueAccounts)).toBe(true));
    expect(await claimBy(WORKER)).toBe(2);
  });

  it('is taken over when the lease of a worker that hangs has expired', async () => {
    await claimBy(other);
    await service.database.query('UPDATE email_accounts SET lease_until = now() WHERE id = $1', [account.id]);
    expect(await found(dueAccounts)).toBe(true);
    expect(await claimBy(WORKER)).toBe(2);
  });

  it('says when it is released whether more is due', async () => {
    await claimBy(other);
    expect(await releaseAccount(scope, account.id, WORKER)).toBe(false);
    expect(await claimBy(WORKER)).toBe(0);
    expect(await releaseAccount(scope, account.id, other)).toBe(true);
    await claim(scope, account.id, WORKER, MESSAGES);
    expect(await releaseAccount(scope, account.id, WORKER)).toBe(false);
  });

  it('is not waited for while another transaction has locked it', async () => {
    const change = await BlockingTransaction.begin(
      service.database,
      'SELECT 1 FROM email_accounts WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [scope.workspace_id, account.id],
    );
    expect(await claimBy(WORKER)).toBe(0);
    await change.end();
    await eventually(async () => expect(await claimBy(WORKER)).toBe(2));
  });
});

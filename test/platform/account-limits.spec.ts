import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { ExplainedRow } from '@outreach/database';
import { checkDueWork } from '../../src/app/doctor/due-work.cross-tenant.js';
import { effectiveLimitOf, rampDayOf, sentTodayOf } from '../../src/email-accounts/index.js';
import { allInRealTime, Database, sql } from '../../src/platform/database/index.js';
import type { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { claim } from '../../src/sending/dispatch/claim.queries.js';
import { DeliveryReports } from '../../src/sending/index.js';
import { DueMessageSample } from '../../src/sending/due-messages.cross-tenant.js';
import { dueAccounts, dueCampaigns } from '../../src/sending/due-work.cross-tenant.js';
import {
  afterClaim,
  type DailyLimit,
  effectiveLimit,
  utcDay,
} from '../../src/sending/rules/daily-limit/daily-limit.js';
import { beginGap, type Gap, gapEnd, gapEndOf, isInGap } from '../../src/sending/rules/gap/gap.js';
import { Workspaces } from '../../src/workspaces/index.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const WAITING = 20_000;
/** The statements of quotas and tokens are for many requests together: the process sends some of them seconds later. */
const OF_MANY_REQUESTS = /quota_counters|api_tokens/;

const service = useService();

describe('the limits of an account in SQL', () => {
  const database = (): Database => service.app.get(Database, { strict: false });
  const scopeOfNew = async (): Promise<WorkspaceScope> =>
    service.app.get(Workspaces, { strict: false }).scope((await service.client()).workspaceId);

  const days = fc
    .date({ min: new Date('2026-11-01T00:00:00Z'), max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true })
    .map(utcDay);
  const limits = fc.record({
    daily_limit: fc.integer({ min: 1, max: 10_000 }),
    ramp_start: fc.option(fc.integer({ min: 1, max: 10_000 })),
    ramp_per_day: fc.integer({ min: 1, max: 1_000 }),
    ramp_started_on: fc.option(days),
    ramp_days: fc.integer({ min: 0, max: 1_000 }),
    counted_on: fc.option(days),
    sent_count: fc.integer({ min: 0, max: 10_000 }),
  });
  const gaps = fc.record({
    min_seconds_between: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 86_400 })),
    gap_begins_at: fc.option(fc.date({ min: new Date(0), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })),
    gap_random_part: fc.double({ min: 0, max: 0.5, noNaN: true }),
  });

  it('are those of the pure functions: the limit of the day, and the state after a claim', async () => {
    const scope = await scopeOfNew();
    const today = utcDay(scope.clock.now());
    const inSql = (accounts: readonly DailyLimit[]) =>
      database().query<{ limit: number; days: number; sent: number }>(
        sql`SELECT ${effectiveLimitOf('account', sql`${today}::date`)} AS limit, ${rampDayOf('account', sql`${today}::date`)} AS days,
              ${sentTodayOf(scope, 'account')} AS sent
            FROM jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) AS account (daily_limit int, ramp_start int,
              ramp_per_day int, ramp_started_on date, ramp_days int, counted_on date, sent_count int)`,
      );
    await fc.assert(
      fc.asyncProperty(fc.array(limits, { minLength: 1, maxLength: 200 }), async (accounts) => {
        expect(await inSql(accounts)).toEqual(
          accounts.map((account) => {
            const { ramp_days: rampDays, sent_count: sent } = afterClaim(account, today, 0);
            return { limit: effectiveLimit(account, today), days: rampDays, sent };
          }),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('are those of the pure functions: the end of a gap', async () => {
    const now = new Date('2026-11-23T12:00:00Z');
    const inSql = (accounts: readonly Gap[]) =>
      database().query<{ end: Date | null; is_in_gap: boolean }>(
        sql`SELECT ${gapEndOf('account')} AS end, ${isInGap('account', sql`${now}::timestamptz`)} AS is_in_gap
            FROM jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) AS account (min_seconds_between int,
              gap_begins_at timestamptz, gap_random_part float8)`,
      );
    await fc.assert(
      fc.asyncProperty(fc.array(gaps, { minLength: 1, maxLength: 200 }), async (accounts) => {
        const rows = await inSql(accounts);
        for (const [index, account] of accounts.entries()) {
          const end = gapEnd(account);
          const found = rows[index]?.end ?? null;
          if (end === null) expect(found).toBeNull();
          else expect(Math.abs((found?.getTime() ?? 0) - end.getTime())).toBeLessThanOrEqual(1);
          if (Math.abs((end?.getTime() ?? 0) - now.getTime()) > 1) {
            expect(rows[index]?.is_in_gap).toBe(end !== null && end > now);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('an account in its gap with very many waiting messages', () => {
  let sink: MailSink;
  let scope: WorkspaceScope;
  let account: { id: number };
  const database = (): Database => service.app.get(Database, { strict: false });

  beforeAll(async () => {
    sink = await MailSink.start();
    const api = await service.client();
    const given = new Given(api, service.database);
    scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    account = await given.mailbox(sink, { min_seconds_between: 600 });
    const campaign = await given.campaign();
    const contacts = await given.contacts(WAITING);
    for (let start = 0; start < WAITING; start += 10_000) {
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts.slice(start, start + 10_000) });
    }
    await api.post(`/campaigns/${campaign.id}/start`);
    // Half of the messages are queued, half of the steps are not planned yet.
    await service.database.query(
      `WITH planned AS (
         DELETE FROM due_steps WHERE workspace_id = $1 AND enrollment_id % 2 = 0 RETURNING *)
       INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, next_attempt_at)
       SELECT $1, enrollment.campaign_id, enrollment.id, enrollment.contact_id, enrollment.current_step_id, $2,
         now() - interval '10 minutes'
       FROM planned JOIN enrollments enrollment ON enrollment.workspace_id = $1 AND enrollment.id = planned.enrollment_id`,
      [scope.workspace_id, account.id],
    );
    await service.database.query('VACUUM ANALYZE');
  });
  afterAll(() => sink.stop());

  /** The last message was accepted so many seconds ago. */
  const sentBefore = (seconds: number) =>
    service.database.query(
      `UPDATE email_accounts SET gap_begins_at = now() - make_interval(secs => $2), gap_random_part = 0,
         last_used_at = now() - make_interval(secs => $2) WHERE id = $1`,
      [account.id, seconds],
    );
  /** The newest transaction that has written to the queue, and the number of its rows. */
  const writes = () =>
    service.database.query(`SELECT count(*), max(xmin::text::bigint) AS newest FROM queued_messages`);
  const find = async (select: typeof dueAccounts) =>
    (await database().query<{ id: number }>(select(allInRealTime))).map(({ id }) => id);

  it('is not found before its gap is over, nor is its campaign', async () => {
    await sentBefore(300);
    expect(await find(dueAccounts)).toEqual([]);
    expect(await find(dueCampaigns)).toEqual([]);
    await sentBefore(601);
    expect(await find(dueAccounts)).toEqual([account.id]);
    expect(await find(dueCampaigns)).toHaveLength(1);
  });

  it('costs the poll for due work no access to its messages', async () => {
    await sentBefore(300);
    for (const due of [dueAccounts(allInRealTime), dueCampaigns(allInRealTime)]) {
      const [plan] = await database().query<ExplainedRow>(sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${due}`);
      const { 'Shared Hit Blocks': cached, 'Shared Read Blocks': read } = plan?.['QUERY PLAN'][0]
        .Plan as unknown as Record<string, number>;
      expect((cached ?? 0) + (read ?? 0)).toBeLessThan(60);
    }
  });

  it('gives a worker that asks all the same no message, and writes none', async () => {
    await sentBefore(300);
    const before = await writes();
    for (let run = 0; run < 3; run++) {
      expect(await claim(scope, account.id, randomUUID(), 100)).toEqual({ kind: 'none' });
    }
    expect(await writes()).toEqual(before);
  });

  it('gives one message at a time, whoever asks, until its result is recorded', async () => {
    await sentBefore(601);
    const claims = await Promise.all(Array.from({ length: 4 }, () => claim(scope, account.id, randomUUID(), 100)));
    const claimed = claims.flatMap((each) => (each.kind === 'claimed' ? each.messages : []));
    expect(claimed).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'none')).toHaveLength(3);
    expect(await claim(scope, account.id, randomUUID(), 100)).toEqual({ kind: 'none' });
    await service.database.query('UPDATE queued_messages SET lease_until = NULL, leased_by = NULL WHERE id = $1', [
      claimed[0]?.id,
    ]);
  });

  it('begins its gap when a report says that a message has arrived whose worker has died', async () => {
    await sentBefore(601);
    const claimed = await claim(scope, account.id, randomUUID(), 1);
    const id = claimed.kind === 'claimed' ? (claimed.messages[0]?.id ?? 0) : 0;
    await service.database.query(`UPDATE queued_messages SET status = 'sending' WHERE id = $1`, [id]);
    expect(await claim(scope, account.id, randomUUID(), 1)).toEqual({ kind: 'none' });
    await service.app.get(DeliveryReports, { strict: false }).record(scope, [id], { kind: 'delivered' });
    const [row] = await service.database.query<{ is_new: boolean }>(
      `SELECT gap_begins_at > now() - interval '9 minutes' AS is_new FROM email_accounts WHERE id = $1`,
      [account.id],
    );
    expect(row?.is_new).toBe(true);
    expect(await claim(scope, account.id, randomUUID(), 1)).toEqual({ kind: 'none' });
  });

  it('has a random part of at most half of itself, which is new each time', async () => {
    const parts: number[] = [];
    for (let gap = 0; gap < 30; gap++) {
      await beginGap(scope, [account.id]);
      const [row] = await service.database.query<{ part: number }>(
        'SELECT gap_random_part AS part FROM email_accounts WHERE id = $1',
        [account.id],
      );
      parts.push(row?.part ?? -1);
    }
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...parts)).toBeLessThanOrEqual(0.5);
    expect(new Set(parts).size).toBe(30);
  });

  it('takes as many statements as an account without a gap or ramp takes, plus one', async () => {
    const claimed = async (seconds: number): Promise<string[]> => {
      await sentBefore(601);
      await service.database.query('UPDATE email_accounts SET min_seconds_between = $2 WHERE id = $1', [
        account.id,
        seconds,
      ]);
      const query = jest.spyOn(pg.Client.prototype, 'query');
      const result = await claim(scope, account.id, randomUUID(), 1);
      const calls = query.mock.calls as unknown as [string | { readonly text: string }][];
      const texts = calls.map(([statement]) => (typeof statement === 'string' ? statement : statement.text));
      query.mockRestore();
      expect(result.kind).toBe('claimed');
      await service.database.query(
        'UPDATE queued_messages SET lease_until = NULL, leased_by = NULL WHERE workspace_id = $1',
        [scope.workspace_id],
      );
      return texts.filter((text) => !OF_MANY_REQUESTS.test(text));
    };
    const plain = await claimed(0);
    expect(plain).toHaveLength(5);
    expect(await claimed(600)).toHaveLength(plain.length + 1);
  });

  it('counts as no due work in its gap, and as one message after it', async () => {
    await sentBefore(300);
    const read = () => new DueMessageSample(database()).recent();
    const doctor = async () => {
      const findings = await checkDueWork(service.app.get(DataSource, { strict: false })).run();
      return findings.map(({ message }) => message);
    };
    expect(await read()).toEqual({ count: 0, oldest_seconds: 0, untouched: [] });
    expect(await doctor()).toContain('no message is due');
    await sentBefore(630);
    expect(await read()).toMatchObject({ count: 1, untouched: [] });
    await sentBefore(1_000);
    const { count, oldest_seconds: oldest, untouched } = await read();
    expect([count, untouched.map(({ id }) => id)]).toEqual([1, [account.id]]);
    expect(oldest).toBeGreaterThanOrEqual(400);
    // Not since it is due, nor since the last message.
    expect(oldest).toBeLessThan(600);
    expect((await doctor()).join()).toMatch(/the oldest due message has waited for [45]\d\d/);
  });

  it('is planned for in its gap when none of its messages waits, because a condition may pass over a step', async () => {
    await sentBefore(300);
    expect(await find(dueCampaigns)).toEqual([]);
    await service.database.query('DELETE FROM queued_messages WHERE workspace_id = $1', [scope.workspace_id]);
    expect(await find(dueCampaigns)).toHaveLength(1);
  });
});

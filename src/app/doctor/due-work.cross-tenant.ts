import { type Check, failure, ok, warning, type CheckOutcome } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import type { UnfinishedTransaction } from '@outreach/database';
import { countWorkers } from '@outreach/job-queue';
import { waitingPasses, type WaitingPasses } from '../../campaigns/index.js';
import { type Database, type Sql, sql } from '../../platform/database/index.js';
import { effectiveLimitOf } from '../../email-accounts/index.js';
import { lateErasures, type WaitingErasures } from '../../personal-data/index.js';
import { blockedUntil, isBlocked } from '../../sending/index.js';

import { limitedDatabase } from './limited-database.js';

/** Messages are normally sent within seconds. */
const LATE_SECONDS = 300;
const MAX_NAMED = 5;

interface Due {
  readonly workers: number;
  readonly message_age: number | null;
  readonly delivery_age: number | null;
}

/** What is due and not done: messages that may be sent now, and deliveries of webhooks. */
export const checkDueWork = (source: DataSource): Check => ({
  name: 'due work',
  advice: 'Check the load of the database.',
  run: async () => {
    const database = limitedDatabase(source);
    const [due] = await database.query<Due>(
      sql`SELECT ${countWorkers()} AS workers, ${secondsSince(oldestMessage(database))} AS message_age,
                 ${secondsSince(oldestDelivery())} AS delivery_age`,
    );
    const failed = await named(database, sql`provider_callbacks record`, sql`record.attempts > 0`);
    return due ? [...describeDue(due), describeFailed(failed)] : [];
  },
});

const secondsSince = (instant: Sql): Sql => sql`extract(epoch FROM ${sql.realNow} - (${instant}))::float8`;

/**
 * Of active accounts that have not reached the limit of the day and are not in their gap, and of active campaigns. After a
 * gap a message is due since its end.
 */
const oldestMessage = (database: Database): Sql => {
  const now = database.nowOf(sql`account.workspace_id`);
  const today = sql`(${now} AT TIME ZONE 'UTC')::date`;
  return sql`
  SELECT min(greatest(oldest.next_attempt_at, ${blockedUntil})) FROM email_accounts account CROSS JOIN LATERAL (
    SELECT message.next_attempt_at FROM queued_messages message
    JOIN campaigns campaign ON campaign.workspace_id = message.workspace_id AND campaign.id = message.campaign_id
    WHERE message.workspace_id = account.workspace_id AND message.email_account_id = account.id
      AND message.next_attempt_at <= ${now} AND campaign.status = 'active'
    ORDER BY message.next_attempt_at LIMIT 1) oldest
  WHERE account.is_active AND NOT ${isBlocked(now)}
    AND (account.counted_on < ${today} OR account.counted_on IS NULL
         OR account.sent_count < ${effectiveLimitOf('account', today)})`;
};

/** Of webhooks that are not paused after a failure. */
const oldestDelivery = (): Sql => sql`
  SELECT min(oldest.next_attempt_at) FROM webhooks webhook CROSS JOIN LATERAL (
    SELECT delivery.next_attempt_at FROM webhook_deliveries delivery
    WHERE delivery.workspace_id = webhook.workspace_id AND delivery.webhook_id = webhook.id
      AND delivery.next_attempt_at <= ${sql.realNow}
    ORDER BY delivery.next_attempt_at LIMIT 1) oldest
  WHERE webhook.is_active AND (webhook.paused_until IS NULL OR webhook.paused_until <= ${sql.realNow})`;

function describeDue({ workers, message_age, delivery_age }: Due): CheckOutcome[] {
  const running = workers === 1 ? '1 worker runs' : `${workers} workers run`;
  const noWorker = 'Start a process with ROLE=all or ROLE=worker.';
  const advice = workers === 0 ? noWorker : 'Look for warnings in the logs of the workers, or start more of them.';
  return [
    workers > 0 ? ok(running) : failure('no worker runs: nothing is sent', noWorker),
    describeAge('message', message_age, advice),
    describeAge('delivery to a webhook', delivery_age, advice),
  ];
}

function describeAge(what: string, age: number | null, advice: string): CheckOutcome {
  if (age === null) return ok(`no ${what} is due`);
  const message = `the oldest due ${what} has waited for ${Math.max(0, Math.round(age))} s`;
  return age > LATE_SECONDS ? failure(message, advice) : ok(message);
}

/** Erasures that cannot be completed, because something that began before them has not ended. */
export const checkErasures = (source: DataSource): Check => ({
  name: 'erasures',
  advice: 'Check the load of the database.',
  run: async () => {
    const [late] = await limitedDatabase(source).query<WaitingErasures & Record<string, unknown>>(lateErasures);
    return late ? describeErasures(late) : [];
  },
});

function describeErasures({ for_imports, for_transactions, seconds, transaction }: WaitingErasures): CheckOutcome[] {
  if (for_imports + for_transactions === 0) return [ok('none waits for a transaction or an import')];
  const since = `the first one for ${Math.round(seconds)} s`;
  const imports = `erasures that wait for imports: ${for_imports} (${since})`;
  if (for_transactions === 0)
    return [warning(imports, 'See GET /v1/imports; an import that does not end can be cancelled.')];
  const { which, end } = describeTransaction(transaction);
  const message = `erasures that wait for an open transaction: ${for_transactions} (${since}); the oldest one is ${which}`;
  return [failure(message, `${end} Until then not everything about these persons is deleted.`)];
}

function describeTransaction(transaction: UnfinishedTransaction | null): { which: string; end: string } {
  const { pid, name, seconds } = transaction ?? { pid: null, name: null, seconds: null };
  const session = pid === null ? 'a prepared transaction' : `the session ${pid}`;
  return {
    which: `${session}${name === null ? '' : ` (${name})`}${seconds === null ? '' : `, open for ${Math.round(seconds)} s`}`,
    end: pid === null ? 'Commit it or roll it back.' : `End it, e.g. with SELECT pg_terminate_backend(${pid}).`,
  };
}

/** Campaigns that do not enroll all members of their lists and segments yet, because an older transaction has not ended. */
export const checkAutoEnrollment = (source: DataSource): Check => ({
  name: 'auto-enrollment',
  advice: 'Check the load of the database.',
  run: async () => {
    const [waiting] = await limitedDatabase(source).query<WaitingPasses & Record<string, unknown>>(waitingPasses);
    return waiting ? [describePasses(waiting)] : [];
  },
});

function describePasses({ passes, transaction }: WaitingPasses): CheckOutcome {
  if (passes === 0) return ok('no campaign waits for a transaction');
  const { which, end } = describeTransaction(transaction);
  const message = `campaigns with auto_enroll that wait for an open transaction: ${passes}; the oldest one is ${which}`;
  return warning(message, `If it stays open: ${end} Until then contacts that it has changed may not be enrolled.`);
}

/** Email accounts that are off, and webhooks that fail. */
export const checkSenders = (source: DataSource): Check => ({
  name: 'accounts',
  advice: 'Check the load of the database.',
  run: async () => {
    const database = limitedDatabase(source);
    const [off, failing] = await Promise.all([
      named(database, sql`email_accounts record`, sql`NOT record.is_active`),
      named(
        database,
        sql`webhooks record`,
        sql`record.failure_count > 0 AND (NOT record.is_active OR record.paused_until > ${sql.realNow})`,
      ),
    ]);
    return [
      describeRecords('email accounts', 'off', off, 'Test and activate them again, unless they are off on purpose.'),
      describeRecords('webhooks', 'failing', failing, 'See GET /v1/webhooks/{id}/logs; their receivers do not accept.'),
    ];
  },
});

interface NamedRecords {
  readonly total: number;
  readonly examples: readonly string[] | null;
}

async function named(database: Database, from: Sql, where: Sql): Promise<NamedRecords> {
  const [row] = await database.query<{ total: number; examples: string[] | null }>(
    sql`SELECT count(*) AS total, (array_agg(record.id || ' of workspace ' || record.workspace_id))[1:${MAX_NAMED}] AS examples
        FROM ${from} WHERE ${where}`,
  );
  return row ?? { total: 0, examples: null };
}

function describeRecords(what: string, state: string, found: NamedRecords, advice: string): CheckOutcome {
  return found.total === 0
    ? ok(`${what}: none are ${state}`)
    : warning(`${what} that are ${state}: ${enumerated(found)}`, advice);
}

const enumerated = ({ total, examples }: NamedRecords): string =>
  `${total} (${(examples ?? []).join(', ')}${total > MAX_NAMED ? ', …' : ''})`;

function describeFailed(found: NamedRecords): CheckOutcome {
  if (found.total === 0) return ok('all events of providers were recorded');
  const advice = 'Look for "a callback failed" in the logs; when its cause is gone, run "outreach callbacks retry".';
  return failure(`events of providers that could not be recorded: ${enumerated(found)}`, advice);
}

import type { DomainChecks } from '@outreach/domain-checks';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type CheckedAccount, subjectKey, domainSubject } from './domain-subject.js';
import type { StoredDomainCheck } from './stored-domain-check.entity.js';

export type DatedChecks = Pick<StoredDomainCheck, 'checks' | 'checked_at'>;

/** Returns the stored checks of an account for a subject, unless they are older than an hour. */
export async function findChecks(scope: WorkspaceScope, id: number, subject: string): Promise<DatedChecks | undefined> {
  return scope.queryOne<DatedChecks>(
    sql`SELECT checks, checked_at FROM domain_checks
        WHERE workspace_id = ${scope} AND email_account_id = ${id} AND subject = ${subject} AND expires_at > ${scope.now}`,
  );
}

/** Stores the checks of an account, unless it was deleted in the meantime. @returns their time */
export async function storeChecks(
  scope: WorkspaceScope,
  { id, subject, checks }: { readonly id: number; readonly subject: string; readonly checks: DomainChecks },
  seconds: number,
): Promise<Date> {
  const [stored] = await scope.query<{ checked_at: Date }>(
    sql`INSERT INTO domain_checks (workspace_id, email_account_id, subject, checks, checked_at, expires_at)
        SELECT ${scope}, id, ${subject}, ${JSON.stringify(checks)}::jsonb, ${scope.now},
          ${scope.now} + make_interval(secs => ${seconds})
        FROM email_accounts WHERE workspace_id = ${scope} AND id = ${id}
        ON CONFLICT (workspace_id, email_account_id) DO UPDATE SET subject = excluded.subject, checks = excluded.checks,
          checked_at = excluded.checked_at, expires_at = excluded.expires_at
        RETURNING checked_at`,
  );
  return stored?.checked_at ?? scope.clock.now();
}

/**
 * Returns which of the accounts have a domain whose SPF, DKIM or DMARC records failed when they were last checked. Accounts
 * that were never checked, or have changed since, are not among them. It asks no name server.
 */
export async function findUnauthenticated(scope: WorkspaceScope, accountIds: readonly number[]): Promise<number[]> {
  const rows = await scope.query<CheckedAccount & { id: number; subject: string }>(
    sql`SELECT account.id, account.type, account.from_email, account.smtp_host, account.dkim_domain,
          account.dkim_selector, account.dkim_private_key_encrypted, stored.subject
        FROM domain_checks stored
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = stored.email_account_id
        WHERE stored.workspace_id = ${scope} AND stored.email_account_id = ANY(${accountIds}::bigint[])
          AND 'fail' IN (stored.checks #>> '{spf,status}', stored.checks #>> '{dkim,status}',
            stored.checks #>> '{dmarc,status}')
        ORDER BY account.id`,
  );
  return rows.filter((row) => subjectKey(domainSubject(row)) === row.subject).map(({ id }) => id);
}

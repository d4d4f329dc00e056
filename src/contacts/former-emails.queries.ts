import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** How many earlier addresses of a contact are stored. */
const MAX_FORMER_EMAILS = 10;

export async function rememberFormerEmails(
  tx: WorkspaceScope,
  renames: readonly { readonly id: number; readonly from: string }[],
): Promise<void> {
  const ids = renames.map(({ id }) => id);
  await tx.execute(
    sql`INSERT INTO former_emails (workspace_id, contact_id, email, replaced_at)
        SELECT ${tx}, rename.id, rename.email, ${tx.now}
        FROM unnest(${ids}::bigint[], ${renames.map(({ from }) => from)}::text[]) AS rename (id, email)
        ORDER BY rename.id
        ON CONFLICT (workspace_id, contact_id, email) DO UPDATE SET replaced_at = excluded.replaced_at`,
  );
  await tx.execute(
    sql`DELETE FROM former_emails former USING contacts contact, LATERAL (
          SELECT counted.email, row_number() OVER (ORDER BY counted.replaced_at DESC, counted.email) AS number
          FROM former_emails counted WHERE counted.workspace_id = ${tx} AND counted.contact_id = contact.id) stored
        WHERE contact.workspace_id = ${tx} AND contact.id = ANY(${ids}::bigint[])
          AND former.workspace_id = ${tx} AND former.contact_id = contact.id AND former.email = stored.email
          AND (stored.number > ${MAX_FORMER_EMAILS} OR former.email = contact.email)`,
  );
}

/** The earlier addresses of a contact, the last one first. */
export const findFormerEmails = (scope: WorkspaceScope, contactId: number): Promise<readonly string[]> =>
  formerEmails(scope, contactId);

/**
 * The earlier addresses of a contact without those that another contact has now: what a message from such an address says is
 * about the other one.
 */
export const findUnusedFormerEmails = (scope: WorkspaceScope, contactId: number): Promise<readonly string[]> =>
  formerEmails(
    scope,
    contactId,
    sql`AND NOT EXISTS (
      SELECT 1 FROM contacts contact WHERE contact.workspace_id = ${scope} AND contact.email = former.email)`,
  );

async function formerEmails(scope: WorkspaceScope, contactId: number, which = sql.empty): Promise<readonly string[]> {
  const rows = await scope.query<{ email: string }>(
    sql`SELECT former.email FROM former_emails former
        WHERE former.workspace_id = ${scope} AND former.contact_id = ${contactId} ${which}
        ORDER BY former.replaced_at DESC, former.email`,
  );
  return rows.map(({ email }) => email);
}

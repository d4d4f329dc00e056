import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MessageRecipient } from '../results/index.js';

export function findComposed(
  scope: WorkspaceScope,
  enrollmentIds: readonly number[],
): Promise<{ id: number; message_id: string }[]> {
  return scope.query(
    sql`SELECT id, message_id FROM all_messages
        WHERE workspace_id = ${scope} AND enrollment_id = ANY(${[...enrollmentIds]}::bigint[])
          AND message_id IS NOT NULL`,
  );
}

/** SELECT of the campaigns of the steps of these messages. */
export const campaignsOf = (scope: WorkspaceScope, ids: readonly number[]): Sql =>
  sql`SELECT campaign_id FROM all_messages
      WHERE workspace_id = ${scope} AND id = ANY(${[...ids]}::bigint[]) AND reply_id IS NULL`;

export interface ReportedRecipient extends MessageRecipient {
  readonly message_id: number;
}

/**
 * Returns the recipients of messages whose current address is the one that a report is about: the address that the
 * report names, or an address that has not changed since the message was sent.
 */
export function recipientsAt(
  scope: WorkspaceScope,
  ids: readonly number[],
  address: string | undefined,
): Promise<ReportedRecipient[]> {
  return scope.query<ReportedRecipient>(
    sql`SELECT message.id AS message_id, contact.id AS contact_id, contact.email FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND (${address ?? null}::text IS NULL OR contact.email = lower(${address ?? null}::text)
            OR contact.updated_at <= message.sent_at)`,
  );
}

/** Like {@link recipientsAt}, without the recipients of answers that were sent to another address than the contact's. */
export async function bouncedRecipientsAt(
  scope: WorkspaceScope,
  ids: readonly number[],
  address: string | undefined,
): Promise<ReportedRecipient[]> {
  const ofOthers = await scope.query<{ message_id: number }>(
    sql`SELECT content.message_id FROM message_contents content
        JOIN all_messages message ON message.workspace_id = ${scope} AND message.id = content.message_id
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE content.workspace_id = ${scope} AND content.message_id = ANY(${[...ids]}::bigint[])
          AND content.to_address <> contact.email`,
  );
  const others = new Set(ofOthers.map((content) => content.message_id));
  return recipientsAt(
    scope,
    ids.filter((id) => !others.has(id)),
    address,
  );
}

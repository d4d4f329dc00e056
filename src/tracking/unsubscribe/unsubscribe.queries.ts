import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Whom a message was for. */
export interface Recipient {
  readonly contact_id: number;
  readonly email: string;
}

/** The recipient of a message, unless one of them is gone. */
export async function findRecipient(scope: WorkspaceScope, messageId: number): Promise<Recipient | undefined> {
  const [recipient] = await scope.query<Recipient & { email: string }>(
    sql`SELECT message.contact_id, contact.email FROM messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ${messageId}`,
  );
  return recipient;
}

/** Notes that the recipient unsubscribed through this message; the first time counts. */
export async function markUnsubscribed(scope: WorkspaceScope, messageId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE messages SET unsubscribed_at = now(), updated_at = now()
        WHERE workspace_id = ${scope} AND id = ${messageId} AND unsubscribed_at IS NULL`,
  );
}

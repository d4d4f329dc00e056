import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The contact to whom a message was sent. */
export interface Recipient {
  readonly contact_id: number;
  readonly email: string;
}

/** Returns the recipient of a message, or undefined if the message or the contact was deleted. */
export async function findRecipient(scope: WorkspaceScope, messageId: number): Promise<Recipient | undefined> {
  const [recipient] = await scope.query<Recipient & { email: string }>(
    sql`SELECT message.contact_id, contact.email FROM messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ${messageId}`,
  );
  return recipient;
}

/** Stores when the recipient unsubscribed through a message for the first time. */
export async function markUnsubscribed(scope: WorkspaceScope, messageId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE messages SET unsubscribed_at = now(), updated_at = now()
        WHERE workspace_id = ${scope} AND id = ${messageId} AND unsubscribed_at IS NULL`,
  );
}

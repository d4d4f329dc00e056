import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The contact to whom a message was sent. */
export interface MessageContact {
  readonly contact_id: number;
  readonly email: string;
}

/** Returns the recipient of a message, or undefined if the message or the contact was deleted. */
export async function findRecipient(scope: WorkspaceScope, messageId: number): Promise<MessageContact | undefined> {
  const [recipient] = await scope.query<MessageContact & { email: string }>(
    sql`SELECT message.contact_id, contact.email FROM all_messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ${messageId}`,
  );
  return recipient;
}

/** Like {@link findRecipient}; locks the contact, so that a concurrent deletion comes before or after. */
export async function lockRecipient(scope: WorkspaceScope, messageId: number): Promise<MessageContact | undefined> {
  const [recipient] = await scope.query<MessageContact & { email: string }>(
    sql`SELECT contact.id AS contact_id, contact.email FROM contacts contact
        WHERE contact.workspace_id = ${scope} AND contact.id = (
          SELECT message.contact_id FROM all_messages message
          WHERE message.workspace_id = ${scope} AND message.id = ${messageId})
        FOR NO KEY UPDATE`,
  );
  return recipient;
}

/** Returns whether the workspace exists and is not being deleted. */
export async function isWorkspaceOpen(scope: WorkspaceScope): Promise<boolean> {
  const rows = await scope.query(sql`SELECT 1 FROM workspaces WHERE id = ${scope} AND deletion_started_at IS NULL`);
  return rows.length > 0;
}

import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ContactKey } from '../contact-keys.js';

/** Locks the contact with this key until the transaction ends. @returns its ID; undefined if there is none */
export async function lockContactByKey(
  scope: WorkspaceScope,
  { field, value }: ContactKey,
): Promise<number | undefined> {
  const [contact] = await scope.query<{ id: number }>(
    sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND ${sql.ref(field)} = ${value} FOR UPDATE`.prepared(),
  );
  return contact?.id;
}

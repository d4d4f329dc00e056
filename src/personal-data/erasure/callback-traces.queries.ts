import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type DataSubject, emailsOf } from './data-subject.js';
import { mentions } from './mentions.js';
import { ESCAPED_SPACE } from './stored-responses.js';

/**
 * Removes the events about a person from requests of providers that wait to be processed. What another process is
 * processing is deleted by it.
 */
export async function eraseFromCallbacks(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  const callbacks = await tx.query<{ id: number; body: Buffer }>(
    sql`SELECT id, body FROM provider_callbacks
        WHERE workspace_id = ${tx} AND EXISTS (
          SELECT 1 FROM unnest(${emailsOf(subject)}::text[]) email WHERE position(email IN lower(encode(body, 'escape'))) > 0)
        ORDER BY id FOR UPDATE SKIP LOCKED`,
  );
  for (const { id, body } of callbacks) {
    const events: unknown = JSON.parse(body.toString('utf8'));
    const isAbout = (event: unknown): boolean => mentions(subject, JSON.stringify(event).replace(ESCAPED_SPACE, ' '));
    const remaining = Array.isArray(events) ? events.filter((event) => !isAbout(event)) : [];
    await tx.execute(
      sql`UPDATE provider_callbacks SET body = ${Buffer.from(JSON.stringify(remaining))}
          WHERE workspace_id = ${tx} AND id = ${id}`,
    );
  }
}

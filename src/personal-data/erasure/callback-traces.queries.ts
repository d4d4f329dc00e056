import { mentions } from '@outreach/personal-mentions';
import type { BackgroundSteps } from '@outreach/concurrency';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type DataSubject, emailsOf } from './data-subject.js';
import { ESCAPED_SPACE } from './stored-responses.js';

/**
 * Removes the events about a person from requests of providers that wait to be processed, in short steps. What another process
 * is processing is left to it: it deletes the request, at the latest seven days after it was stored.
 */
export async function eraseFromCallbacks(
  tx: WorkspaceScope,
  subject: DataSubject,
  steps: BackgroundSteps,
): Promise<void> {
  const callbacks = await tx.query<{ id: number }>(
    sql`SELECT id FROM provider_callbacks
        WHERE workspace_id = ${tx} AND EXISTS (
          SELECT 1 FROM unnest(${emailsOf(subject)}::text[]) email WHERE position(email IN lower(encode(body, 'escape'))) > 0)
        ORDER BY id FOR UPDATE SKIP LOCKED`,
  );
  for (const { id } of callbacks) await eraseFromCallback(tx, subject, { id, steps });
}

async function eraseFromCallback(
  tx: WorkspaceScope,
  subject: DataSubject,
  { id, steps }: { readonly id: number; readonly steps: BackgroundSteps },
): Promise<void> {
  const [stored] = await tx.query<{ body: Buffer }>(
    sql`SELECT body FROM provider_callbacks WHERE workspace_id = ${tx} AND id = ${id}`,
  );
  const events: unknown = stored ? JSON.parse(stored.body.toString('utf8')) : [];
  const isAbout = (event: unknown): boolean => mentions(subject, JSON.stringify(event).replace(ESCAPED_SPACE, ' '));
  const remaining: unknown[] = [];
  if (Array.isArray(events))
    for await (const others of steps.map(tx.workspace_id, events, (event: unknown) => (isAbout(event) ? [] : [event])))
      remaining.push(...others.flat());
  await tx.execute(
    sql`UPDATE provider_callbacks SET body = ${Buffer.from(JSON.stringify(remaining))}
        WHERE workspace_id = ${tx} AND id = ${id}`,
  );
}

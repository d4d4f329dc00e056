import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { refundQuota } from './account-counts.queries.js';
import { setSent, setUnknownSent } from './message-status.queries.js';
import type { UpdatedMessage } from './updated-message.js';

/**
 * Sets accepted messages to `sent` and returns those that were not before. A message whose lease another worker has taken may
 * have been claimed again, which its preflight check then stops, or be `unknown`. A user may retry an unknown one meanwhile: it
 * is back in the queue then.
 */
export async function setQueuedOrUnknownSent(tx: WorkspaceScope, ids: readonly number[]): Promise<UpdatedMessage[]> {
  const queued = await setSent(tx, ids);
  if (queued.length === ids.length) return queued;
  const unknown = await setUnknownSent(tx, ids);
  const retried = queued.length + unknown.length < ids.length ? await setSent(tx, ids) : [];
  await refundQuota(
    tx,
    [...queued, ...retried].filter((message) => message.was_waiting_with_lease),
  );
  return [...queued, ...unknown, ...retried];
}

import type { ClaimedMessage } from './claim.queries.js';

/** How many messages a run claims at a time at most. A server that is slow or stalls holds few. */
export const MAX_BATCH = 100;
/** One for each connection. */
const MIN_BATCH = 5;
/** About how many characters of contacts and bodies a batch has: a run with larger ones claims fewer at a time. */
const MAX_BATCH_CHARACTERS = 1_000_000;

/** Returns how many messages to claim after these. */
export function batchFor(messages: readonly ClaimedMessage[]): number {
  if (messages.length === 0) return MAX_BATCH;
  const bodies = new Set(messages.map(({ body }) => body));
  const contacts = messages.map(({ contact }) => JSON.stringify(contact));
  const characters = [...bodies, ...contacts].reduce((sum, { length }) => sum + length, 0);
  const average = characters / messages.length;
  return Math.min(MAX_BATCH, Math.max(MIN_BATCH, Math.floor(MAX_BATCH_CHARACTERS / average)));
}

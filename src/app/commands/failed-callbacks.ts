import { type CommandReport, table } from '@outreach/command-line';
import { timestamp } from '@outreach/http-api/responses';
import {
  type FailedCallback,
  listFailedCallbacks,
  MAX_LISTED_CALLBACKS,
  retryFailedCallbacks,
} from '../../inbound/index.js';

import { withDatabase } from './with-database.js';

/**
 * `outreach callbacks list`: the oldest events of providers that could not be recorded. @param workspace of all workspaces if
 * undefined
 */
export async function listCallbacks(workspace?: number): Promise<CommandReport> {
  const json = (await withDatabase((database) => listFailedCallbacks(database, workspace))).map(shown);
  const rows = json.map((each) => [
    ...[String(each.workspace_id), String(each.id), each.created_at],
    ...[String(each.attempts), each.next_attempt_at],
  ]);
  const heads = ['WORKSPACE', 'ID', 'RECEIVED', 'ATTEMPTS', 'NEXT ATTEMPT'];
  if (rows.length === 0) return { json, text: 'All events of providers were recorded.' };
  const more = rows.length < MAX_LISTED_CALLBACKS ? '' : `\nOnly the oldest ${rows.length} are listed.`;
  return { json, text: table(heads, rows) + more };
}

/** `outreach callbacks retry`: makes them due now. @param workspace of all workspaces if undefined */
export async function retryCallbacks(workspace?: number): Promise<CommandReport> {
  const count = await withDatabase((database) => retryFailedCallbacks(database, workspace));
  const events = count === 1 ? '1 event is' : `${count} events are`;
  return { json: { count }, text: `${events} tried again by the next worker.` };
}

const shown = ({ created_at: createdAt, next_attempt_at: nextAttemptAt, ...callback }: FailedCallback) => ({
  ...callback,
  created_at: timestamp(createdAt),
  next_attempt_at: timestamp(nextAttemptAt),
});

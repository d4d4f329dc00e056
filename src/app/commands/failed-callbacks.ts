import { type FailedCallback, listFailedCallbacks, retryFailedCallbacks } from '../../inbound/index.js';
import { timestamp } from '../../platform/http/index.js';
import type { CommandReport } from './run.js';
import { table } from './table.js';
import { withDatabase } from './with-database.js';

/** `outreach callbacks list`: the events of providers that could not be recorded. @param workspace of all workspaces if undefined */
export async function listCallbacks(workspace?: number): Promise<CommandReport> {
  const json = (await withDatabase((database) => listFailedCallbacks(database, workspace))).map(shown);
  const rows = json.map((each) => [
    ...[String(each.workspace_id), String(each.id), each.created_at],
    ...[String(each.attempts), each.next_attempt_at],
  ]);
  const heads = ['WORKSPACE', 'ID', 'RECEIVED', 'ATTEMPTS', 'NEXT ATTEMPT'];
  return { json, text: rows.length === 0 ? 'All events of providers were recorded.' : table(heads, rows) };
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

import { type CommandReport, table } from '@outreach/command-line';
import { Log } from '@outreach/logging';
import { createGrantRevocation } from '../../email-accounts/index.js';
import { Keyring } from '../../platform/crypto/index.js';
import type { Database } from '../../platform/database/index.js';
import { OperatorError } from '../../platform/errors/index.js';
import { existingKeys } from '../encryption-keys.js';
import type { ServiceConfig } from '../settings.js';
import { type RowCounts, WorkspaceDeletion } from '../workspace-deletion/workspace-deletion.js';
import { withDatabase } from './with-database.js';

class NotConfirmed extends OperatorError {
  constructor() {
    super('Nothing was deleted. To delete the workspace with all of this, repeat the command with --yes.');
  }
}

/**
 * `outreach workspace delete`: deletes a workspace with everything in it.
 * @param isConfirmed if false, nothing is deleted and the report says what would be
 * @throws NotFound
 */
export function deleteWorkspace(id: number, isConfirmed: boolean): Promise<CommandReport> {
  return withDatabase((database, { config }) =>
    isConfirmed ? deleteNow(database, id, config) : preview(database, id),
  );
}

async function deleteNow(database: Database, id: number, config: ServiceConfig): Promise<CommandReport> {
  const keys = await existingKeys(config);
  // Without a key there is no stored token.
  const grants = keys && createGrantRevocation(config, new Keyring(keys), new Log(config.log_level, config.log_format));
  const deleted = await new WorkspaceDeletion(database, grants).delete(id);
  return { json: { id, deleted }, text: `Deleted workspace ${id}.\n${tableOf(deleted)}` };
}

async function preview(database: Database, id: number): Promise<CommandReport> {
  const { workspace, rows } = await new WorkspaceDeletion(database).preview(id);
  return {
    json: { id, name: workspace.name, would_delete: rows },
    text: `Workspace ${id} (${workspace.name}) has these rows:\n${tableOf(rows)}`,
    refusal: new NotConfirmed(),
  };
}

const tableOf = (rows: RowCounts): string =>
  table(
    ['ROWS', 'TABLE'],
    Object.entries(rows).map(([name, count]) => [String(count), name]),
  );

import { sql } from '../../platform/database/index.js';
import { NotFound } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { WorkspaceSettings } from './settings.view.js';
import type { UpdateSettingsDto } from './update-settings.dto.js';

/** @throws NotFound */
export async function findWorkspaceSettings(scope: WorkspaceScope): Promise<WorkspaceSettings> {
  return found(await scope.query<WorkspaceSettings>(sql`SELECT postal_address FROM workspaces WHERE id = ${scope}`));
}

/** Changes the settings that are not undefined. @throws NotFound */
export async function updateWorkspaceSettings(
  scope: WorkspaceScope,
  { postal_address: address }: UpdateSettingsDto,
): Promise<WorkspaceSettings> {
  if (address === undefined) return findWorkspaceSettings(scope);
  return found(
    await scope.query<WorkspaceSettings>(
      sql`UPDATE workspaces SET postal_address = ${address} WHERE id = ${scope} RETURNING postal_address`,
    ),
  );
}

function found([settings]: readonly WorkspaceSettings[]): WorkspaceSettings {
  if (!settings) throw new NotFound('Workspace');
  return settings;
}

import { type Sql, sql } from '../../platform/database/index.js';
import { NotFound } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { WORKSPACE_SETTINGS, type WorkspaceSettings } from './settings.view.js';
import type { UpdateSettingsDto } from './update-settings.dto.js';

const COLUMNS = sql.join(WORKSPACE_SETTINGS.map((name) => sql.ref(name)));

/** @throws NotFound */
export async function findWorkspaceSettings(scope: WorkspaceScope): Promise<WorkspaceSettings> {
  return found(await scope.query<WorkspaceSettings>(sql`SELECT ${COLUMNS} FROM workspaces WHERE id = ${scope}`));
}

/** Changes the settings that are not undefined. @throws NotFound */
export async function updateWorkspaceSettings(
  scope: WorkspaceScope,
  dto: UpdateSettingsDto,
): Promise<WorkspaceSettings> {
  const changes = WORKSPACE_SETTINGS.flatMap((name): Sql[] => {
    const value = dto[name];
    return value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`];
  });
  if (changes.length === 0) return findWorkspaceSettings(scope);
  return found(
    await scope.query<WorkspaceSettings>(
      sql`UPDATE workspaces SET ${sql.join(changes)} WHERE id = ${scope} RETURNING ${COLUMNS}`,
    ),
  );
}

function found([settings]: readonly WorkspaceSettings[]): WorkspaceSettings {
  if (!settings) throw new NotFound('Workspace');
  return settings;
}

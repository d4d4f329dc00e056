import { type Sql, sql } from '../../platform/database/index.js';
import { NotFound } from '../../platform/errors/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ConsentRequirement } from '../workspace.entity.js';
import { SETTING_COLUMNS, type WorkspaceSettings } from './settings.view.js';
import type { TrackingDomainTarget } from './tracking-domains.js';
import type { UpdateSettingsDto } from './update-settings.dto.js';

const COLUMNS = sql`${sql.join([...SETTING_COLUMNS, 'tracking_domain_verified_at'].map((name) => sql.ref(name)))},
  CASE WHEN tracking_consent_required AND tracking_consent_by_place THEN '"auto"' ELSE to_jsonb(tracking_consent_required) END
    AS tracking_consent_required`;

/** @throws NotFound */
export async function findWorkspaceSettings(scope: WorkspaceScope): Promise<WorkspaceSettings> {
  return found(await scope.query<WorkspaceSettings>(sql`SELECT ${COLUMNS} FROM workspaces WHERE id = ${scope}`));
}

/**
 * Changes the settings that are not undefined.
 * @param target where the new tracking domain leads, if there is one
 * @throws NotFound
 */
export async function updateWorkspaceSettings(
  scope: WorkspaceScope,
  dto: UpdateSettingsDto,
  target: TrackingDomainTarget = 'another host',
): Promise<WorkspaceSettings> {
  const changes = SETTING_COLUMNS.flatMap((name): Sql[] => {
    const value = dto[name];
    return value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`];
  });
  if (dto.tracking_consent_required !== undefined) changes.push(...consentColumns(dto.tracking_consent_required));
  if (changes.length === 0) return findWorkspaceSettings(scope);
  const verification = dto.tracking_domain === undefined ? [] : [verified(scope, dto.tracking_domain, target)];
  return found(
    await scope.query<WorkspaceSettings>(
      sql`UPDATE workspaces SET ${sql.join([...changes, ...verification])} WHERE id = ${scope} RETURNING ${COLUMNS}`,
    ),
  );
}

const consentColumns = (requirement: ConsentRequirement): Sql[] => [
  sql`tracking_consent_required = ${requirement !== false}`,
  sql`tracking_consent_by_place = ${requirement === 'auto'}`,
];

/** The same domain remains verified while name servers do not respond. */
function verified(scope: WorkspaceScope, domain: string | null, target: TrackingDomainTarget): Sql {
  const before = sql`CASE WHEN tracking_domain = ${domain}::text THEN tracking_domain_verified_at END`;
  const verifiedAt = {
    service: sql`coalesce(${before}, ${scope.now})`,
    'another host': sql`NULL`,
    unavailable: before,
  }[target];
  return sql`tracking_domain_verified_at = ${verifiedAt}, tracking_domain_checked_at = ${scope.now}`;
}

function found([settings]: readonly WorkspaceSettings[]): WorkspaceSettings {
  if (!settings) throw new NotFound('Workspace');
  return settings;
}

/** Returns the tracking domain of the workspace if links do not begin with it, because it does not lead to the service. */
export async function findUnverifiedTrackingDomain(scope: WorkspaceScope): Promise<string | undefined> {
  const [workspace] = await scope.query<{ tracking_domain: string }>(
    sql`SELECT tracking_domain FROM workspaces
        WHERE id = ${scope} AND tracking_domain IS NOT NULL AND tracking_domain_verified_at IS NULL`,
  );
  return workspace?.tracking_domain;
}

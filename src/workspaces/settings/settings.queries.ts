import { NotFound } from '@outreach/http-errors';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ConsentRequirement } from '../workspace.entity.js';
import { SETTING_COLUMNS, type WorkspaceSettings } from './settings.view.js';
import { isFree } from './tracking-domain-owners.cross-tenant.js';
import type { TrackingDomainStatus } from './tracking-domains.js';
import type { UpdateSettingsDto } from './update-settings.dto.js';

const SHOWN_COLUMNS = [...SETTING_COLUMNS, 'tracking_domain_token', 'tracking_domain_verified_at'];
const COLUMNS = sql`${sql.join(SHOWN_COLUMNS.map((name) => sql.ref(name)))},
  CASE WHEN tracking_consent_required AND tracking_consent_by_place THEN '"auto"' ELSE tracking_consent_required::text::jsonb END
    AS tracking_consent_required`;

/** @throws NotFound */
export async function findWorkspaceSettings(scope: WorkspaceScope): Promise<WorkspaceSettings> {
  return found(await scope.query<WorkspaceSettings>(sql`SELECT ${COLUMNS} FROM workspaces WHERE id = ${scope}`));
}

/**
 * Changes the settings that are not undefined.
 * @param status what the records of the new tracking domain say, if there is one
 * @throws NotFound, Conflict if another workspace gets the domain at the same time
 */
export async function updateWorkspaceSettings(
  scope: WorkspaceScope,
  dto: UpdateSettingsDto,
  status: TrackingDomainStatus = 'unverified',
): Promise<WorkspaceSettings> {
  const changes = SETTING_COLUMNS.flatMap((name): Sql[] => {
    const value = dto[name];
    return value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`];
  });
  if (dto.tracking_consent_required !== undefined) changes.push(...consentColumns(dto.tracking_consent_required));
  if (changes.length === 0) return findWorkspaceSettings(scope);
  const verification = dto.tracking_domain === undefined ? [] : [verified(scope, dto.tracking_domain, status)];
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
function verified(scope: WorkspaceScope, domain: string | null, status: TrackingDomainStatus): Sql {
  const before = sql`CASE WHEN tracking_domain = ${domain}::text THEN tracking_domain_verified_at END`;
  const verifiedAt = {
    verified: sql`CASE WHEN ${isFree(sql`${domain}::text`, sql`${scope}`)} THEN coalesce(${before}, ${scope.now}) END`,
    unverified: sql`NULL`,
    unavailable: before,
  }[status];
  return sql`tracking_domain_verified_at = ${verifiedAt}, tracking_domain_checked_at = ${scope.now}`;
}

function found([settings]: readonly WorkspaceSettings[]): WorkspaceSettings {
  if (!settings) throw new NotFound('Workspace');
  return settings;
}

/** Counts up the version of the inbound key, so that the one before is invalid. @returns it @throws NotFound */
export async function rotateInboundKey(scope: WorkspaceScope): Promise<number> {
  const [row] = await scope.query<{ version: number }>(
    sql`UPDATE workspaces SET inbound_key_version = inbound_key_version + 1 WHERE id = ${scope}
        RETURNING inbound_key_version AS version`,
  );
  if (!row) throw new NotFound('Workspace');
  return row.version;
}

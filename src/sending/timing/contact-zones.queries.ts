import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CampaignFacts } from './campaign-rules.js';

/** Returns the time zones of contacts, by contact, if the schedule of their campaign depends on them. */
export async function contactZones(
  scope: WorkspaceScope,
  { schedule }: CampaignFacts,
  contactIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (!schedule?.contact_timezone) return new Map();
  const rows = await scope.query<{ id: number; timezone: string }>(
    sql`SELECT id, timezone FROM contacts
        WHERE workspace_id = ${scope} AND id = ANY(${[...contactIds]}::bigint[]) AND timezone IS NOT NULL`,
  );
  return new Map(rows.map(({ id, timezone }) => [id, timezone]));
}

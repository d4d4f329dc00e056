import type { DataSource } from 'typeorm';

/** Where the rows of a table lie: by their workspace on one node, copied to all nodes, or on the coordinator. */
export type Placement = 'distributed' | 'reference' | 'local';

/** A table of the database, and where it lies. */
export interface PlacedTable {
  readonly table: string;
  readonly placement: Placement;
  /** Where it lies now. */
  readonly current: Placement;
}

/** Written on each request or each second by all processes, or published by one: copies would cost more than they bring. */
const LOCAL = [
  'marketplace_pack_templates',
  'marketplace_packs',
  'marketplace_templates',
  'quota_counters',
  'scheduled_tasks',
  'typeorm_metadata',
];

/** The names of tables with the migrations of the service, and of extension modules. */
const MIGRATIONS = /(^|_)migrations$/;

/**
 * Tables that have a workspace, and of which a request or a batch reads rows without knowing it, or of other workspaces. They
 * are read often, and written seldom.
 */
const COPIED = ['api_tokens', 'blacklist_entries', 'oauth_states', 'tracking_domains'];

/** @returns whether the server has the extension Citus in this database */
export async function hasCitus(database: Pick<DataSource, 'query'>): Promise<boolean> {
  const rows = await database.query<unknown[]>(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/** @returns whether tables of the database lie on several nodes */
export async function isDistributed(database: Pick<DataSource, 'query'>): Promise<boolean> {
  if (!(await hasCitus(database))) return false;
  const rows = await database.query<unknown[]>(`SELECT 1 FROM pg_dist_partition WHERE partmethod = 'h' LIMIT 1`);
  return rows.length > 0;
}

export const isMisplaced = ({ placement, current }: PlacedTable): boolean => placement !== current;

/** The level of a table is the longest way to it by foreign keys. What it refers to must be placed before. */
const TABLES = `
  WITH RECURSIVE candidate AS (
    SELECT class.oid, class.relname::text AS name, EXISTS (
        SELECT 1 FROM pg_attribute WHERE attrelid = class.oid AND attname = 'workspace_id' AND NOT attisdropped) AS has_workspace
    FROM pg_class class
    WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p') AND NOT class.relispartition
      AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = class.oid AND classid = 'pg_class'::regclass AND deptype = 'e')
  ), levelled AS (
    SELECT oid, 0 AS level FROM candidate
    UNION
    SELECT reference.conrelid, levelled.level + 1 FROM levelled
    JOIN pg_constraint reference ON reference.confrelid = levelled.oid AND reference.contype = 'f'
      AND reference.conrelid <> reference.confrelid
  )
  SELECT candidate.name, candidate.has_workspace, placed.partmethod::text AS method
  FROM candidate JOIN levelled ON levelled.oid = candidate.oid
  LEFT JOIN pg_dist_partition placed ON placed.logicalrelid = candidate.oid
  GROUP BY 1, 2, 3 ORDER BY max(levelled.level), 1`;

/** The way that Citus writes what it has done with a table: by a hash, or no distribution column. */
const METHODS: Readonly<Record<string, Placement>> = { h: 'distributed', n: 'reference' };

/** @returns all tables, those of extension modules too, in an order in which they can be placed */
export async function readPlacements(database: Pick<DataSource, 'query'>): Promise<PlacedTable[]> {
  const rows: { name: string; has_workspace: boolean; method: string | null }[] = await database.query(TABLES);
  const tables = rows.map(({ name, has_workspace, method }) => ({
    table: name,
    placement: placementOf(name, has_workspace),
    current: METHODS[method ?? ''] ?? 'local',
  }));
  const of = (wanted: Placement) => tables.filter(({ placement }) => placement === wanted);
  return [...of('reference'), ...of('distributed'), ...of('local')];
}

function placementOf(table: string, hasWorkspace: boolean): Placement {
  if (LOCAL.includes(table) || MIGRATIONS.test(table)) return 'local';
  return hasWorkspace && !COPIED.includes(table) ? 'distributed' : 'reference';
}

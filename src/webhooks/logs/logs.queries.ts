import { dayAfter, type LastLog, type LogGroup, type LogRange, type LogValue } from '@outreach/log-pages';
import { type Sql, sql } from '../../platform/database/index.js';
import { pageLimit, type ListPosition, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventOf } from '../webhook-event.queries.js';
import { LOG_RETENTION_DAYS } from './retention-days.js';
import type { LogListQuery } from './log-list.query.js';

/** The webhook whose logs are read. */
export interface LogOwner {
  readonly scope: WorkspaceScope;
  readonly webhook_id: number;
}

/** A log with the body that was sent. */
export interface ListedLog {
  readonly id: number;
  readonly event: string;
  readonly payload: object;
  readonly status_code: number;
  readonly response: string;
  readonly success: boolean;
  readonly created_at: Date;
  readonly delivery_id: string;
  readonly attempt: number;
}

/** The first day (UTC) whose logs are listed (API v1, "Limits"). */
const oldestDay = (scope: WorkspaceScope): Sql =>
  sql`(${scope.now} AT TIME ZONE 'UTC')::date - ${LOG_RETENTION_DAYS}::int`;

/** The start of that day. */
export const oldestInstant = (scope: WorkspaceScope): Sql => sql`(${oldestDay(scope)})::timestamp AT TIME ZONE 'UTC'`;

/** Returns the numbers of matching logs, grouped by day and by the value of the sort column. */
export function countLogs({ scope, webhook_id: webhookId }: LogOwner, list: LogListQuery): Promise<LogGroup[]> {
  const value = isByInstant(list) ? sql`NULL::text` : sortColumn(list);
  return scope.query<LogGroup & { day: string }>(
    sql`SELECT to_char(record.day, 'YYYY-MM-DD') AS day, ${value} AS value, sum(record.total)::bigint AS total,
          array_agg(DISTINCT record.event) AS events, array_agg(DISTINCT record.status_code) AS status_codes
        FROM webhook_log_counts record
        WHERE record.workspace_id = ${scope} AND record.webhook_id = ${webhookId} AND record.day >= ${oldestDay(scope)}
          AND ${sql.all([...list.days(), ...list.clauses()])}
        GROUP BY 1, 2`,
  );
}

/**
 * Returns the logs of a page.
 * @param ranges one or more
 * @param last only logs that follow it, if the first range is that of its day
 */
export function readLogs(
  owner: LogOwner,
  list: LogListQuery,
  ranges: readonly LogRange[],
  last?: LastLog,
): Promise<ListedLog[]> {
  const { scope, webhook_id: webhookId } = owner;
  const parts = ranges.map((range, position) => {
    const isReached = last !== undefined && last.value === range.value && last.created_at.startsWith(range.first_day);
    return sql`(${rangeQuery(owner, list, { ...range, following: isReached ? [isAfter(list, last)] : [], position })})`;
  });
  const page = sql`SELECT * FROM (${sql.join(parts, ' UNION ALL ')}) part
    ORDER BY part.range, ${order(list, sql`part`)} LIMIT ${pageLimit(list)}`;
  // With LIMIT, PostgreSQL looks up each row in the index of one partition; without it, the planner may read all partitions.
  return scope.query<ListedLog & { id: number }>(
    sql`SELECT log.id, log.event, log.status_code, CASE WHEN event.is_erased THEN ''
      ELSE log.response END AS response, log.success, log.created_at, log.delivery_id,
          log.attempt, ${shownPayload(scope)} AS payload
        FROM (${page}) page
        CROSS JOIN LATERAL (
          SELECT * FROM webhook_logs
          WHERE workspace_id = ${scope} AND webhook_id = ${webhookId} AND id = page.id AND created_at = page.created_at
          LIMIT 1) log
        LEFT JOIN ${eventOf(scope, sql`log`)} event ON TRUE
        ORDER BY page.range, ${order(list, sql`page`)}`,
  );
}

/** Selects the keys of the logs in one range. The bounds of `created_at` limit the scan to the partitions of its days. */
function rangeQuery(
  { scope, webhook_id: webhookId }: LogOwner,
  list: LogListQuery,
  { following, position, ...range }: LogRange & { readonly following: readonly Sql[]; readonly position: number },
): Sql {
  return sql`SELECT ${position}::int AS range, record.id, record.created_at FROM webhook_logs record
    WHERE record.workspace_id = ${scope} AND record.webhook_id = ${webhookId}
      AND record.created_at >= ${midnight(range.first_day)}::timestamptz
      AND record.created_at < ${midnight(dayAfter(range.last_day))}::timestamptz
      AND ${sql.all([...conditionsOf(list, range), ...following])}
    ORDER BY ${order(list, sql`record`)} LIMIT ${range.limit} OFFSET ${range.offset}`;
}

/**
 * Returns the conditions on the logs of a range. The event names and status codes that occur in it are added, because the
 * index on them finds few matching logs among many.
 */
function* conditionsOf(list: LogListQuery, { value, events, status_codes: statuses }: LogRange): Iterable<Sql> {
  const clauses = [...list.clauses()];
  if (value !== null) clauses.push(sql`${sortColumn(list)} = ${value}`);
  if (clauses.length === 0) return;
  yield* clauses;
  yield sql`record.event = ANY(${[...events]}::text[]) AND record.status_code = ANY(${[...statuses]}::smallint[])`;
}

/** Returns the position of a log in the order of a list with cursors. */
export const logPosition = (list: LogListQuery, log: ListedLog): ListPosition => {
  const { event, status_code, success } = log;
  const values: Readonly<Record<string, LogValue>> = { event, status_code, success };
  return [values[list.sort ?? ''] ?? null, log.id, log.created_at.toISOString()];
};

/** Returns the log at a position. */
export const lastLogAt = ([value, id, at]: ListPosition): LastLog => ({
  value,
  id: Number(id),
  created_at: String(at),
});

/** The condition that a log follows another one of the same day with the same value. */
function isAfter(list: LogListQuery, { id, created_at: at }: LastLog): Sql {
  const comparison = list.direction === 'asc' ? sql`>` : sql`<`;
  return isByInstant(list)
    ? sql`(record.created_at, record.id) ${comparison} (${at}::timestamptz, ${id}::bigint)`
    : sql`record.id ${comparison} ${id}::bigint`;
}

const midnight = (day: string): string => `${day}T00:00:00Z`;

const isByInstant = (list: LogListQuery): boolean => list.sort === 'created_at' || list.sort === undefined;

const sortColumn = (list: LogListQuery): Sql => sql.ref(`record.${list.sort}`);

/** Sorts logs that have the same value in the sort column. */
function order(list: LogListQuery, row: Sql): Sql {
  const direction = list.direction === 'asc' ? sql`ASC` : sql`DESC`;
  const byId = sql`${row}.id ${direction}`;
  return isByInstant(list) ? sql`${row}.created_at ${direction}, ${byId}` : byId;
}

/** Longer payloads are listed without their data. */
const MAX_PAYLOAD_BYTES = 65_536;

/** The body that was sent. If it is too long or was deleted, only the event, the workspace and the ID of the record. */
const shownPayload = (scope: WorkspaceScope): Sql => sql`
  CASE WHEN octet_length(event.payload::text) <= ${MAX_PAYLOAD_BYTES} THEN event.payload
  ELSE json_build_object('event', log.event, 'workspace_id', ${scope}::bigint,
    'data', json_strip_nulls(json_build_object('id', event.payload #> '{data,id}')), 'truncated', TRUE) END`;

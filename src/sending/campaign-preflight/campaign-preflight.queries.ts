import type { GlobalBlacklist } from '../../blacklist/index.js';
import type { Campaign } from '../../campaigns/index.js';
import type { ContactStatus } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RULES } from '../rules/index.js';

/** So many groups of due messages have an hour of their own; the later ones of a step and a zone are one group. */
const MAX_HOURLY_GROUPS = 2_000;
/** The reasons of messages whose time the rules compute anew. */
const COMPUTED_REASONS = RULES.flatMap(({ reason, isStoredTime }) => (isStoredTime ? [] : [reason]));
/** Among so many contacts those without a variable are counted. */
const MAX_CHECKED_CONTACTS = 20_000;

/** Why contacts of a campaign get no messages. */
export type SkipReason = Exclude<ContactStatus, 'active'> | 'blacklisted';

export interface RecipientCount {
  readonly kind: SkipReason | 'sendable' | 'ended';
  readonly count: number;
}

/** FROM and WHERE of the enrollments of a campaign, with their contacts. */
const recipients = (scope: WorkspaceScope): Sql => sql`enrollments enrollment
  JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = enrollment.contact_id`;
const ofCampaign = (scope: WorkspaceScope, campaignId: number): Sql =>
  sql`enrollment.workspace_id = ${scope} AND enrollment.campaign_id = ${campaignId}`;
const isBlacklisted = (scope: WorkspaceScope, blacklist: GlobalBlacklist): Sql =>
  blacklist.isListed(scope, sql`contact.email`);
const isSendable = (
  scope: WorkspaceScope,
  blacklist: GlobalBlacklist,
): Sql => sql`enrollment.status IN ('pending', 'in_progress')
  AND contact.status = 'active' AND NOT ${isBlacklisted(scope, blacklist)}`;

/** Counts the contacts of a campaign: those that get messages, those that do not, and those that have got all. */
export function countRecipients(
  scope: WorkspaceScope,
  campaignId: number,
  blacklist: GlobalBlacklist,
): Promise<RecipientCount[]> {
  return scope.query<RecipientCount>(
    sql`SELECT kind, count(*) FROM (
          SELECT CASE WHEN contact.status <> 'active' THEN contact.status
            WHEN ${isBlacklisted(scope, blacklist)} THEN 'blacklisted'
            WHEN enrollment.status IN ('pending', 'in_progress') THEN 'sendable' ELSE 'ended' END AS kind
          FROM ${recipients(scope)} WHERE ${ofCampaign(scope, campaignId)}) recipient
        GROUP BY kind`,
  );
}

/** Messages of one step that are due within an hour of each other, or later than most. */
export interface DueRow {
  readonly step_id: number;
  readonly timezone: string | null;
  readonly is_pending: boolean;
  /** When the last of them is due. */
  readonly due_at: Date;
  readonly count: number;
}

/**
 * Returns when the next messages of a campaign are due, by step and hour, and by the zone of the contacts if the schedule
 * depends on it. What waits for a required variable is left out, because it is not known when that comes. If there are very many
 * hours, the last groups are put together by step and zone, so that none is due, or inside the schedule, before its messages are.
 * @param max how many rows are returned at most, the earliest ones
 */
export function dueRows(
  scope: WorkspaceScope,
  { id, schedule }: Campaign,
  blacklist: GlobalBlacklist,
  max: number,
): Promise<DueRow[]> {
  const timezone = schedule?.contact_timezone ? sql`contact.timezone` : sql`NULL::text`;
  return scope.query<DueRow>(
    sql`SELECT step_id, timezone, is_pending, max(due_at) AS due_at, sum(messages)::bigint AS count FROM (
        SELECT step_id, timezone, is_pending, max(due_at) AS due_at, count(*) AS messages,
          least(row_number() OVER (ORDER BY max(due_at)), ${sql.integer(MAX_HOURLY_GROUPS)}) AS group_number FROM (
          SELECT enrollment.current_step_id AS step_id, ${timezone} AS timezone,
            enrollment.status = 'pending' AND message.id IS NULL AS is_pending,
            greatest(${scope.now}, CASE
              WHEN message.id IS NULL AND due.due_at IS DISTINCT FROM due.postponed_until THEN due.due_at
              WHEN message.reason = ANY(${[...COMPUTED_REASONS]}::text[]) THEN NULL
              ELSE message.next_attempt_at END) AS due_at
          FROM ${recipients(scope)}
          LEFT JOIN due_steps due ON due.workspace_id = ${scope} AND due.enrollment_id = enrollment.id
          LEFT JOIN queued_messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
            AND message.step_id = enrollment.current_step_id AND message.status = 'queued'
          WHERE ${ofCampaign(scope, id)} AND ${isSendable(scope, blacklist)}
            AND (due.enrollment_id IS NOT NULL OR (message.id IS NOT NULL AND NOT message.waits_for_contact))) waiting
        WHERE isfinite(due_at) AND step_id IS NOT NULL
        GROUP BY step_id, timezone, is_pending, date_trunc('hour', due_at)) hourly
        GROUP BY group_number, step_id, timezone, is_pending ORDER BY max(due_at) LIMIT ${max}`,
  );
}

/** Returns how many of the first contacts that get messages have no value for one of these template variables. */
export async function countLacking(
  scope: WorkspaceScope,
  campaignId: number,
  variables: readonly string[],
  blacklist: GlobalBlacklist,
): Promise<number> {
  if (variables.length === 0) return 0;
  const [row] = await scope.query<{ count: number }>(
    sql`SELECT count(*) FROM (
          SELECT to_jsonb(contact) - 'search_text' AS contact FROM ${recipients(scope)}
          WHERE ${ofCampaign(scope, campaignId)} AND ${isSendable(scope, blacklist)}
          LIMIT ${MAX_CHECKED_CONTACTS}) recipient
        WHERE has_empty_variable(recipient.contact, ${[...variables]}::text[])`,
  );
  return row?.count ?? 0;
}

/** What a campaign preflight says of the settings of the workspace. */
export interface SettingFacts {
  readonly has_postal_address: boolean;
  /** It has a tracking domain, which does not lead to the service. */
  readonly has_unverified_domain: boolean;
}

export async function settingFacts(scope: WorkspaceScope): Promise<SettingFacts> {
  const [facts] = await scope.query<SettingFacts>(
    sql`SELECT postal_address IS NOT NULL AS has_postal_address,
          tracking_domain IS NOT NULL AND tracking_domain_verified_at IS NULL AS has_unverified_domain
        FROM workspaces WHERE id = ${scope}`,
  );
  return facts ?? { has_postal_address: false, has_unverified_domain: false };
}

import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import { is, timestamp, view } from '../platform/http/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type Campaign, CAMPAIGN_STATUSES, PAUSE_REASONS, UNKNOWN_POLICIES } from './campaign/campaign.entity.js';

/** The properties of a campaign that are not columns of its row. */
export interface CampaignComputedColumns {
  readonly email_account_ids: number[];
  readonly steps_count: number;
  readonly contacts_count: number;
}

/** A campaign as {@link campaignView} shows it. */
export type CampaignRecord = Campaign & CampaignComputedColumns;

/** SELECT expressions of the {@link CampaignComputedColumns} of the row `record`. They start with a comma. */
export const campaignComputedColumns = (scope: WorkspaceScope): Sql => sql`,
  coalesce((
    SELECT array_agg(own.email_account_id ORDER BY own.position) FROM campaign_accounts own
    WHERE own.workspace_id = ${scope} AND own.campaign_id = record.id), '{}') AS email_account_ids,
  (SELECT count(*) FROM campaign_steps step
    WHERE step.workspace_id = ${scope} AND step.campaign_id = record.id) AS steps_count,
  ${cachedCount(scope, 'enrollments', sql`record.id`)} AS contacts_count`;

const scheduleShape = is.shape('CampaignSchedule', {
  timezone: is.string,
  days: is.arrayOf({ type: 'integer', minimum: 1, maximum: 7 }),
  start: is.string,
  end: is.string,
});

/** A campaign in responses and events. */
export const campaignView = view(
  'Campaign',
  {
    id: is.id,
    name: is.string,
    description: is.nullable(is.string),
    status: is.oneOf(CAMPAIGN_STATUSES),
    email_account_ids: is.arrayOf(is.id),
    schedule: is.nullable(scheduleShape),
    track_opens: is.boolean,
    track_clicks: is.boolean,
    stop_on_reply: is.boolean,
    unsubscribe_footer: is.boolean,
    on_unknown: is.oneOf(UNKNOWN_POLICIES),
    steps_count: is.integer,
    contacts_count: is.integer,
    started_at: is.nullable(is.timestamp),
    paused_at: is.nullable(is.timestamp),
    pause_reason: is.nullable(is.oneOf(PAUSE_REASONS)),
    completed_at: is.nullable(is.timestamp),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (campaign: CampaignRecord) => ({
    id: campaign.id,
    name: campaign.name,
    description: campaign.description,
    status: campaign.status,
    email_account_ids: campaign.email_account_ids,
    schedule: campaign.schedule,
    track_opens: campaign.track_opens,
    track_clicks: campaign.track_clicks,
    stop_on_reply: campaign.stop_on_reply,
    unsubscribe_footer: campaign.unsubscribe_footer,
    on_unknown: campaign.on_unknown,
    steps_count: campaign.steps_count,
    contacts_count: campaign.contacts_count,
    started_at: timestamp(campaign.started_at),
    paused_at: timestamp(campaign.paused_at),
    pause_reason: campaign.pause_reason,
    completed_at: timestamp(campaign.completed_at),
    created_at: timestamp(campaign.created_at),
    updated_at: timestamp(campaign.updated_at),
  }),
);

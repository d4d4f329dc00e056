import { is, type Schema, view } from '@outreach/http-api/responses';
import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type AutoEnroll, autoEnrollOf } from './auto-enrollment/auto-enroll-sources.queries.js';
import {
  type Campaign,
  CAMPAIGN_LANGUAGES,
  CAMPAIGN_STATUSES,
  PAUSE_REASONS,
  UNKNOWN_POLICIES,
} from './campaign/campaign.entity.js';

/** The properties of a campaign that are not columns of its row. */
export interface CampaignComputedColumns {
  readonly email_account_ids: number[];
  readonly steps_count: number;
  readonly contacts_count: number;
  readonly auto_enroll: AutoEnroll | null;
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
  ${cachedCount(scope, 'enrollments', sql`record.id`)} AS contacts_count,
  ${autoEnrollOf(scope, sql`record.id`)} AS auto_enroll`;

const scheduleShape = is.shape('CampaignSchedule', {
  timezone: is.string,
  days: is.arrayOf({ type: 'integer', minimum: 1, maximum: 7 }),
  start: is.string,
  end: is.string,
  holidays: is.arrayOf({ type: 'string', format: 'date' }),
  contact_timezone: is.boolean,
});

const autoEnrollShape = is.shape('CampaignAutoEnroll', {
  list_ids: is.arrayOf(is.id),
  segment_ids: is.arrayOf(is.id),
});

const rate: Schema = { type: 'number', minimum: 0, maximum: 1 };

/** A campaign in responses and events. */
export const campaignView = view(
  'Campaign',
  {
    id: is.id,
    /** The name, for you. At most 255 characters. */
    name: is.string,
    /** What the campaign is for; null if there is no description. At most 1,000 characters. */
    description: is.nullable(is.string),
    /**
     * Where the campaign is in its life. It changes by the operations `start` and `pause`, and when all contacts are
     * finished.
     */
    status: is.oneOf(CAMPAIGN_STATUSES),
    /**
     * The email accounts that it sends from, in turns; one contact gets all messages from the same one. Empty means the
     * default account of the workspace.
     */
    email_account_ids: is.arrayOf(is.id),
    /** When messages may be sent; null means at any time. What is due outside of it waits. */
    schedule: is.nullable(scheduleShape),
    /** Whether opens are measured, with an invisible picture in the message. */
    track_opens: is.boolean,
    /** Whether clicks are measured, with links that lead through the service. */
    track_clicks: is.boolean,
    /** Whether a contact that replies gets no further steps. */
    stop_on_reply: is.boolean,
    /**
     * Whether a reply of a person ends the running enrollments of all contacts with the same `company_id` in this
     * campaign, whatever `stop_on_reply` says. A contact without a company ends its own one.
     */
    stop_company_on_reply: is.boolean,
    /**
     * Whether contacts are skipped when they are enrolled while they have a running enrollment in another active campaign.
     */
    skip_running_elsewhere: is.boolean,
    /**
     * The lists and segments whose members are enrolled while the campaign is active: those at its start, and within a minute
     * those who join later, each contact once. A contact that was removed from the campaign is not enrolled again, and the
     * campaign does not complete by itself. A list or segment that is deleted leaves it. Null means that no contact is enrolled
     * automatically.
     */
    auto_enroll: is.nullable(autoEnrollShape),
    /**
     * Whether messages without `{{ unsubscribe_url }}` get a footer: who writes, the postal address of the workspace if it has
     * one, unless the message uses `{{ sender_address }}`, and the unsubscribe link. The header `List-Unsubscribe` is always
     * there.
     */
    unsubscribe_footer: is.boolean,
    /**
     * The language of the footer. A contact whose custom field `language` or `locale` names another one of these, such as `fr`,
     * `pt-BR` or `German`, gets the footer in that language.
     */
    language: is.oneOf(CAMPAIGN_LANGUAGES),
    /** What happens to a message of which nobody knows whether the mail server accepted it. */
    on_unknown: is.oneOf(UNKNOWN_POLICIES),
    /**
     * The share of bounced messages, from 0 to 1, over which the campaign pauses itself, with the `pause_reason`
     * `bounce_rate`: of the messages since its last start, from 50 on. What counts is what the statistics call `bounced`:
     * messages that are refused because their address is dead, and all that are reported as undeliverable later. Null means
     * that it never does.
     */
    stop_at_bounce_rate: is.nullable(rate),
    /**
     * The share of messages that recipients have marked as spam, from 0 to 1, over which the campaign pauses itself, with
     * the `pause_reason` `complaint_rate`: of the messages since its last start, from 300 on. Null means that it never does.
     */
    stop_at_complaint_rate: is.nullable(rate),
    /**
     * How many contacts get their first message of the campaign on one day of the schedule's time zone, else of UTC; null
     * means any number. The messages of the others wait with the reason `max_new_contacts`.
     */
    max_new_contacts_per_day: is.nullable(is.integer),
    /**
     * How many days, of 24 hours each, have to pass after the last message that the workspace sent to a contact, of any
     * campaign and answers to replies included, before this campaign writes to it; null means none. Messages wait with the
     * reason `min_days_since_last_message`.
     */
    min_days_since_last_message: is.nullable(is.integer),
    /** How many steps it has. */
    steps_count: is.integer,
    /** How many contacts are enrolled, the finished ones included. */
    contacts_count: is.integer,
    /** When it was started for the first time; null if it never was. */
    started_at: is.nullable(is.timestamp),
    /** When it was paused; null if it is not paused. */
    paused_at: is.nullable(is.timestamp),
    /** Why the service has paused it; null if it is not paused, or was paused by request. */
    pause_reason: is.nullable(is.oneOf(PAUSE_REASONS)),
    /** When all contacts were finished; null if it is not completed. */
    completed_at: is.nullable(is.timestamp),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (campaign: CampaignRecord) => ({
    schedule: campaign.schedule && { holidays: [], contact_timezone: false, ...campaign.schedule },
  }),
);

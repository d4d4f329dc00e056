import type { Schedule } from '@outreach/time-windows';
import { Check, Column, DeleteDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import { EmailAccount } from '../../email-accounts/index.js';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';

/** Where a campaign is in its life. Only an `active` campaign sends. */
export const CAMPAIGN_STATUSES = [
  /** Has never been started. */
  'draft',
  /** Sends its steps to its contacts when they are due. */
  'active',
  /** Sends nothing until it is started again. What was due meanwhile is sent then. */
  'paused',
  /**
   * All of its contacts are finished. It becomes active again by itself when it has work again: when contacts are enrolled,
   * when it gets an `auto_enroll`, and when messages are retried. Pause it if it shall not.
   */
  'completed',
] as const;
/** The status of a campaign. */
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Why the service has paused a campaign by itself. */
export const PAUSE_REASONS = [
  /** The last email account that it sends from was deleted. Choose another one and start the campaign again. */
  'account_deleted',
  /** Its only step was deleted, or it has none and contacts were enrolled. Add a step and start the campaign again. */
  'no_step',
  /** More of its messages have bounced than `stop_at_bounce_rate` allows. Check the addresses before you start it again. */
  'bounce_rate',
  /** More recipients have marked its messages as spam than `stop_at_complaint_rate` allows. */
  'complaint_rate',
] as const;
/** The rates at which a campaign pauses itself, unless its input says otherwise. */
export const DEFAULT_STOP_AT_BOUNCE_RATE = 0.1;
export const DEFAULT_STOP_AT_COMPLAINT_RATE = 0.003;

export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * What happens to a message if the connection was lost after its content was sent, so that nobody knows whether the
 * mail server accepted it.
 */
export const UNKNOWN_POLICIES = [
  /**
   * It is sent a second time, with the same `Message-ID`, so that most mail programs show one copy. If the second
   * result is unknown too, it gets the status `unknown`.
   */
  'resend',
  /** It is not sent again. It has the status `unknown` until somebody retries it. */
  'hold',
] as const;
export type UnknownPolicy = (typeof UNKNOWN_POLICIES)[number];

/** The maximum of `max_new_contacts_per_day`. */
export const MAX_NEW_CONTACTS = 1_000_000;
/** The maximum of `min_days_since_last_message`. */
export const MAX_DAYS_BETWEEN = 365;

/** The languages of the lines that the service adds to messages (ISO 639-1). */
export const CAMPAIGN_LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pt'] as const;
/** The language of a campaign. */
export type CampaignLanguage = (typeof CAMPAIGN_LANGUAGES)[number];

/** A sequence of emails to the contacts enrolled in it. */
@Entity('campaigns')
@Index('campaigns_by_creation', ['workspace_id', 'created_at', 'id'])
@Index('campaigns_active', ['workspace_id', 'id'], { where: `status = 'active'` })
@Index('campaigns_auto_enrolling', ['workspace_id', 'id'], { where: `status = 'active' AND auto_enrolls` })
@Index('campaigns_deleted', ['workspace_id', 'id'], { where: 'deleted_at IS NOT NULL' })
@Check('campaign_status_known', `status IN ('draft', 'active', 'paused', 'completed')`)
@Check('campaign_language_known', `language IN (${CAMPAIGN_LANGUAGES.map((code) => `'${code}'`).join(', ')})`)
@Check('campaign_pause_reason_known', `pause_reason IN ('account_deleted', 'no_step', 'bounce_rate', 'complaint_rate')`)
@Check('campaign_stop_at_bounce_rate_range', 'stop_at_bounce_rate BETWEEN 0 AND 1')
@Check('campaign_stop_at_complaint_rate_range', 'stop_at_complaint_rate BETWEEN 0 AND 1')
@Check('campaign_new_contacts_range', `max_new_contacts_per_day BETWEEN 1 AND ${MAX_NEW_CONTACTS}`)
@Check('campaign_min_days_range', `min_days_since_last_message BETWEEN 1 AND ${MAX_DAYS_BETWEEN}`)
export class Campaign extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { default: 'draft' }) status!: CampaignStatus;
  /** When messages may be sent; at any time if null. */
  @Column('jsonb', { nullable: true }) schedule!: Schedule | null;
  @Column('boolean', { default: true }) track_opens!: boolean;
  @Column('boolean', { default: true }) track_clicks!: boolean;
  @Column('boolean', { default: true }) stop_on_reply!: boolean;
  @Column('boolean', { default: true }) unsubscribe_footer!: boolean;
  /** That of the footer, for contacts without one. */
  @Column('text', { default: 'en' }) language!: CampaignLanguage;
  @Column('text', { default: 'resend' }) on_unknown!: UnknownPolicy;
  /** At which share of bounced messages it pauses itself; never if null. */
  @Column('double precision', { nullable: true, default: DEFAULT_STOP_AT_BOUNCE_RATE }) stop_at_bounce_rate!:
    number | null;
  @Column('double precision', { nullable: true, default: DEFAULT_STOP_AT_COMPLAINT_RATE })
  stop_at_complaint_rate!: number | null;
  /** How many contacts get their first message of it on one day of its zone; any number if null. */
  @Column('int', { nullable: true }) max_new_contacts_per_day!: number | null;
  /** Planning takes no new contacts before this time, because their limit is reached. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) new_contacts_from!: Date | null;
  /** How many days a message waits after the last one to its contact. */
  @Column('int', { nullable: true }) min_days_since_last_message!: number | null;
  @Column('boolean', { default: false }) skip_running_elsewhere!: boolean;
  @Column('boolean', { default: false }) stop_company_on_reply!: boolean;
  /** It has lists or segments whose members it enrolls while it is active; set by triggers of `auto_enroll_sources`. */
  @Column('boolean', { default: false }) auto_enrolls!: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) started_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) paused_at!: Date | null;
  /** Null if the campaign is not paused, or was paused by request. */
  @Column('text', { nullable: true }) pause_reason!: PauseReason | null;
  /** Its last account was deleted. It does not use the default account instead: it needs another one before it starts. */
  @Column('boolean', { default: false }) needs_account!: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /** Since then it does not exist for users; workers delete what belongs to it, and the row last. */
  @DeleteDateColumn({ type: 'timestamptz', precision: 3, nullable: true, select: false }) deleted_at?: Date | null;
}

/**
 * An email account that sends for a campaign. A campaign without any uses the default account of the workspace, unless it needs
 * one.
 */
@Entity('campaign_accounts')
@BelongsTo(() => Campaign, 'campaign_id')
@BelongsTo(() => EmailAccount, 'email_account_id')
export class CampaignAccount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') campaign_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  /** The index in the list that the client sent, from 0. */
  @Column('int') position!: number;
}

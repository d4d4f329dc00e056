import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Conflict, defineReason } from '@outreach/http-errors';
import { onViolation } from '../platform/database/index.js';
import { BelongsTo, WorkspaceEntity } from '../platform/tenancy/index.js';
import { Company } from './companies/company.entity.js';

/** Whether the service may write to a contact. It sends to `active` contacts only. */
export const CONTACT_STATUSES = [
  /** Receives the messages of campaigns. */
  'active',
  /** Has unsubscribed, by the link in a message, by one click in the mail program, or by request. */
  'unsubscribed',
  /** The address does not exist: a mail server has refused it for good. */
  'bounced',
  /** Has marked a message as spam. No operation makes the contact active again. */
  'complained',
] as const;
/** The status of a contact. */
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/**
 * How far a contact is on the way to being a customer. The service stores the stage and filters by it; it never
 * changes it.
 */
export const LIFECYCLE_STAGES = [
  /** Has asked for information. The stage of new contacts. */
  'subscriber',
  /** Has shown interest. */
  'lead',
  /** Marketing considers the contact worth a call. */
  'marketing_qualified_lead',
  /** Sales has confirmed the interest. */
  'sales_qualified_lead',
  /** A deal is being negotiated. */
  'opportunity',
  /** Has bought. */
  'customer',
  /** Is a customer who recommends you. */
  'evangelist',
  /** None of these. */
  'other',
] as const;
/** The lifecycle stage of a contact. */
export type LifecycleStage = (typeof LIFECYCLE_STAGES)[number];

/** The stage of a contact that was created without one. */
export const DEFAULT_LIFECYCLE_STAGE: LifecycleStage = 'subscriber';

/** Whether opens and clicks of a contact may be measured. */
export const TRACKING_CONSENTS = [
  /** The contact has not been asked. Measured, unless the setting `tracking_consent_required` of the workspace says otherwise. */
  'unknown',
  /** The contact has agreed. */
  'granted',
  /** The contact has refused: messages have no pixel and no tracked links, and nothing is recorded. */
  'refused',
] as const;
/** The consent of a contact to the measurement of opens and clicks. */
export type TrackingConsent = (typeof TRACKING_CONSENTS)[number];

/** The value of a custom field. Dates are stored as strings, unchanged. */
export type CustomFieldValue = string | number | boolean;

/** A recipient. */
@Entity('contacts')
@Unique('contact_email_taken', ['workspace_id', 'email'])
@Index('contact_external_id_taken', ['workspace_id', 'external_id'], { unique: true, where: 'external_id IS NOT NULL' })
@Index('contacts_by_creation', ['workspace_id', 'created_at', 'id'], { unique: true })
@Index('contacts_by_update', ['workspace_id', 'updated_at', 'id'])
@Index('contacts_by_company', ['workspace_id', 'company_id', 'id'], { where: 'company_id IS NOT NULL' })
@Index('contacts_by_status', ['workspace_id', 'status', 'lifecycle_stage', 'created_at', 'id'])
@Index('contacts_by_first_name', { synchronize: false })
@Index('contacts_by_last_name', { synchronize: false })
@Index('contacts_by_company_name', ['workspace_id', 'company'])
@Index('contacts_by_job_title', { synchronize: false })
@Index('contacts_by_linkedin_url', { synchronize: false })
@Index('contacts_by_subscription', ['workspace_id', 'subscribed_at'])
@Index('contacts_by_unsubscription', ['workspace_id', 'unsubscribed_at'], { where: 'unsubscribed_at IS NOT NULL' })
@Index('contacts_by_pause', ['workspace_id', 'paused_until'], { where: 'paused_until IS NOT NULL' })
@Index('contacts_by_timezone', ['workspace_id', 'timezone'], { where: 'timezone IS NOT NULL' })
@Index('contacts_by_tracking_consent', ['workspace_id', 'tracking_consent', 'id'], {
  where: `tracking_consent <> 'unknown'`,
})
@Index('contacts_search', { synchronize: false })
@Index('contacts_profile', { synchronize: false })
@Index('contacts_custom_values', { synchronize: false })
@Index('contacts_without_company', { synchronize: false })
@Index('contacts_without_phone', { synchronize: false })
@Index('contacts_without_job_title', { synchronize: false })
@Index('contacts_without_linkedin_url', { synchronize: false })
@Check('contact_status_known', `status IN ('active', 'unsubscribed', 'bounced', 'complained')`)
@Check('contact_tracking_consent_known', `tracking_consent IN ('unknown', 'granted', 'refused')`)
@Check('contact_created_source_known', `created_source IN ('api', 'import')`)
@BelongsTo(() => Company, 'company_id', 'NO ACTION')
export class Contact extends WorkspaceEntity {
  @Column('text') email!: string;
  /** The ID of the contact in another system, which the client chooses. */
  @Column('text', { nullable: true }) external_id!: string | null;
  @Column('text', { nullable: true }) first_name!: string | null;
  @Column('text', { nullable: true }) last_name!: string | null;
  @Column('text', { nullable: true }) company!: string | null;
  @Column({ type: 'bigint', nullable: true }) company_id!: number | null;
  @Column('text', { nullable: true }) phone!: string | null;
  @Column('text', { nullable: true }) job_title!: string | null;
  @Column('text', { nullable: true }) linkedin_url!: string | null;
  /** The name of an IANA time zone. */
  @Column('text', { nullable: true }) timezone!: string | null;
  @Column('text', { default: 'subscriber' }) lifecycle_stage!: LifecycleStage;
  @Column('text', { default: 'active' }) status!: ContactStatus;
  @Column('text', { default: 'unknown' }) tracking_consent!: TrackingConsent;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) tracking_consent_at!: Date | null;
  @Column('text', { nullable: true }) tracking_consent_source!: string | null;
  @Column('jsonb', { default: {} }) custom_fields!: Record<string, CustomFieldValue>;
  @Column({ type: 'timestamptz', precision: 3, nullable: true, default: () => 'now()' }) subscribed_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) unsubscribed_at!: Date | null;
  /** Until then nothing of a campaign is sent to it; null if it was not paused. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) paused_until!: Date | null;
  /** How the contact was created: by a request with an API token, or by an import. */
  @Column({ type: 'text', default: 'api', select: false, update: false }) created_source!: 'api' | 'import';
  /**
   * The text that contact search looks in: email, names and company in lower case, one line each, so that one trigram
   * index serves all four. Search terms contain no white space, so a term cannot match across two fields.
   */
  @Column({
    type: 'text',
    select: false,
    insert: false,
    update: false,
    generatedType: 'STORED',
    asExpression:
      "lower(email || E'\\n' || coalesce(first_name, '') || E'\\n' || coalesce(last_name, '') || E'\\n' || coalesce(company, ''))",
  })
  search_text!: string;
}

const EMAIL_TAKEN = defineReason('email_taken', 409, 'Another contact of the workspace has this address.');
const EXTERNAL_ID_TAKEN = defineReason(
  'external_id_taken',
  409,
  'Another contact of the workspace has this external ID.',
);

/** 409: another contact of the workspace has the email. */
export class EmailTaken extends Conflict {
  constructor() {
    super(EMAIL_TAKEN, 'A contact with this email address already exists.');
  }
}

/** 409: another contact of the workspace has the external ID. */
export class ExternalIdTaken extends Conflict {
  constructor() {
    super(EXTERNAL_ID_TAKEN, 'A contact with this external ID already exists.');
  }
}

onViolation('contact_email_taken', () => new EmailTaken());
onViolation('contact_external_id_taken', () => new ExternalIdTaken());

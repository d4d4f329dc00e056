import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Campaign, Enrollment, Step } from '../campaigns/index.js';
import { Contact } from '../contacts/index.js';
import { EmailAccount } from '../email-accounts/index.js';
import { BelongsTo, WorkspaceEntity } from '../platform/tenancy/index.js';

/** The statuses of a message. */
export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'cancelled',
  'unknown',
] as const;
/** The status of a message. */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * One email of one step to one contact. A `queued` message without a lease waits for `next_attempt_at`; with a lease it
 * is claimed by a worker; a `sending` one is being sent to the mail server. Every message is updated about four times,
 * and each update writes to most indexes: there are only those that sending and the lists of the API need.
 */
@Entity('messages')
@Unique('message_once', ['workspace_id', 'enrollment_id', 'step_id'])
@Index('messages_ready', ['workspace_id', 'email_account_id', 'next_attempt_at', 'id'], {
  where: `status = 'queued' AND lease_until IS NULL`,
})
@Index('messages_leased', ['lease_until'], { where: 'lease_until IS NOT NULL' })
@Index('messages_by_creation', ['workspace_id', 'campaign_id', 'created_at', 'id'])
@Index('messages_open', ['workspace_id', 'campaign_id', 'email_account_id'], {
  where: `status IN ('queued', 'sending')`,
})
@Index('messages_by_contact', ['workspace_id', 'contact_id'])
@Check(
  'message_status_known',
  `status IN ('queued', 'sending', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'cancelled', 'unknown')`,
)
@BelongsTo(() => Campaign, 'campaign_id')
@BelongsTo(() => Enrollment, 'enrollment_id')
@BelongsTo(() => Contact, 'contact_id')
@BelongsTo(() => Step, 'step_id', 'NO ACTION')
@BelongsTo(() => EmailAccount, 'email_account_id', 'NO ACTION')
export class Message extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  @Column({ type: 'bigint', update: false }) enrollment_id!: number;
  @Column({ type: 'bigint', update: false }) contact_id!: number;
  /** Null once the step is deleted. */
  @Column({ type: 'bigint', nullable: true }) step_id!: number | null;
  /** Null once the account is deleted. */
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  @Column('text', { default: 'queued' }) status!: MessageStatus;
  /** The rendered subject; null before the first attempt. */
  @Column('text', { nullable: true }) subject!: string | null;
  /** The `Message-ID` without angle brackets, stable for the (enrollment, step). */
  @Column('text', { nullable: true }) message_id!: string | null;
  /** Attempts to send it, including one that is running. */
  @Column('int', { default: 0 }) attempts!: number;
  /** Attempts after which it was unknown whether the server had accepted it. */
  @Column('smallint', { default: 0 }) uncertain_attempts!: number;
  /** Why it waits, or why it ended. */
  @Column('text', { nullable: true }) reason!: string | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
  @Column('uuid', { nullable: true }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lease_until!: Date | null;
  /** The day (UTC) for which the last claim reserved it in the daily limit of its account, and on which it counts. */
  @Column('date', { nullable: true }) reserved_on!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sent_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) delivered_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) opened_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) clicked_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) replied_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) bounced_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) complained_at!: Date | null;
  /** When the recipient unsubscribed through this message. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) unsubscribed_at!: Date | null;
}

import { Column, Entity } from 'typeorm';
import type { Transitions } from '../platform/concurrency/index.js';
import { WorkspaceEntity } from '../platform/tenancy/index.js';
import type { BotReason } from './bot-reasons.js';

/** The statuses of a message that waits or is being sent: a row of `queued_messages`. */
export const QUEUED_STATUSES = [
  /** Waits for its turn; `reason` says for what. */
  'queued',
  /**
   * Is being given to a mail server at this moment. With the reason `checking_sent_mail`: the connection was lost before the
   * server replied, and the message is being looked for in the sent mail.
   */
  'sending',
] as const;
/** The statuses of a message with a result: a row of `messages`. */
export const RESULT_STATUSES = [
  /** The mail server has accepted it. */
  'sent',
  /** A report says that it has arrived. */
  'delivered',
  /** Was refused because its address is dead, or was reported as undeliverable later. */
  'bounced',
  /** The recipient has marked it as spam. */
  'complained',
  /** Was not sent: all attempts have failed, or a server has refused its content. It can be retried. */
  'failed',
  /** Was not sent, because the contact or the campaign stopped before; `reason` says why. */
  'cancelled',
  /** Nobody knows whether the mail server has accepted it. It can be retried. */
  'unknown',
] as const;
/** What has become of a message. */
export const MESSAGE_STATUSES = [...QUEUED_STATUSES, ...RESULT_STATUSES] as const;
export type QueuedStatus = (typeof QUEUED_STATUSES)[number];
export type ResultStatus = (typeof RESULT_STATUSES)[number];
/** The status of a message. */
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * Which statuses may follow each status. A message that was put back into the queue may be on its way all the same: then
 * its late result or a report decides.
 */
export const MESSAGE_TRANSITIONS: Transitions<MessageStatus> = {
  queued: ['sending', 'sent', 'bounced', 'failed', 'cancelled', 'unknown'],
  sending: ['queued', 'sent', 'bounced', 'failed', 'unknown'],
  sent: ['delivered', 'bounced', 'complained'],
  delivered: ['bounced', 'complained'],
  bounced: ['queued', 'complained'],
  complained: [],
  failed: ['queued'],
  cancelled: [],
  unknown: ['queued', 'sent'],
};

/** Returns the statuses of messages with a result from which a report may change them to this one. */
export const reportedFrom = (status: ResultStatus): ResultStatus[] =>
  RESULT_STATUSES.filter((before) => MESSAGE_TRANSITIONS[before].includes(status));

/**
 * One email of one step to one contact, as the API shows it: a row of the view `all_messages`, which has those of
 * `queued_messages` and those of `messages`. A message has the same ID in both.
 */
@Entity('all_messages', { synchronize: false })
export class Message extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  @Column({ type: 'bigint', update: false }) enrollment_id!: number;
  @Column({ type: 'bigint', update: false }) contact_id!: number;
  /** Null once the step is deleted, and for an answer to a reply. */
  @Column({ type: 'bigint', nullable: true }) step_id!: number | null;
  /** The variant of the step that was drawn, also after it was removed; null if the step had none. */
  @Column({ type: 'bigint', nullable: true }) variant_id!: number | null;
  /** Null once the account is deleted. */
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  /** The reply that it answers; null for the message of a step. */
  @Column({ type: 'bigint', nullable: true, update: false }) reply_id!: number | null;
  @Column('text') status!: MessageStatus;
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
  /** The day (UTC) on which it counts in the daily limit of its account. */
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
  /** Requests for the pixel that do not count. */
  @Column('smallint', { default: 0 }) bot_opens!: number;
  /** Requests for links that do not count. */
  @Column('smallint', { default: 0 }) bot_clicks!: number;
  /** Why the last request that does not count does not; null if there was none. */
  @Column('text', { nullable: true }) bot_reason!: BotReason | null;
}

import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
} from 'typeorm';
import { Enrollment, Step } from '../campaigns/index.js';
import { EmailAccount } from '../email-accounts/index.js';
import { BelongsTo } from '../platform/tenancy/index.js';
import type { BotReason } from './bot-reasons.js';
import type { QueuedStatus } from './message.entity.js';

/**
 * A {@link Message} that waits, is claimed or is being sent. A `queued` one without a lease waits for `next_attempt_at`; with a
 * lease it is claimed by a worker; a `sending` one is being sent to the mail server. With its result it moves to
 * `messages`. No index contains what a claim and the preflight check change, so that these updates write to no index
 * (heap-only tuples): leased rows stay in `queued_messages_ready`, and `message_claims` finds the leases.
 */
@Entity('queued_messages')
@Unique('queued_message_once', ['workspace_id', 'enrollment_id', 'step_id'])
@Index('queued_messages_ready', ['workspace_id', 'email_account_id', 'next_attempt_at', 'id'])
@Index('queued_messages_by_creation', ['workspace_id', 'campaign_id', 'created_at', 'id'])
@Index('queued_messages_by_contact', ['workspace_id', 'contact_id'], { where: 'waits_for_contact' })
@Check('queued_message_status_known', `status IN ('queued', 'sending')`)
@BelongsTo(() => Enrollment, 'enrollment_id')
@BelongsTo(() => Step, 'step_id', 'NO ACTION')
@BelongsTo(() => EmailAccount, 'email_account_id', 'NO ACTION')
export class QueuedMessage {
  @PrimaryColumn('bigint', { update: false }) workspace_id!: number;
  /** Of the sequence of `messages`: the message keeps it. */
  @PrimaryColumn('bigint', { default: () => `nextval('messages_id_seq')` }) id!: number;
  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) updated_at!: Date;
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  @Column({ type: 'bigint', update: false }) enrollment_id!: number;
  @Column({ type: 'bigint', update: false }) contact_id!: number;
  @Column({ type: 'bigint', nullable: true }) step_id!: number | null;
  @Column({ type: 'bigint', nullable: true }) variant_id!: number | null;
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  @Column({ type: 'bigint', nullable: true, update: false }) reply_id!: number | null;
  @Column('text', { default: 'queued' }) status!: QueuedStatus;
  @Column('text', { nullable: true }) subject!: string | null;
  @Column('text', { nullable: true }) message_id!: string | null;
  @Column('int', { default: 0 }) attempts!: number;
  @Column('smallint', { default: 0 }) uncertain_attempts!: number;
  /** Why it waits. */
  @Column('text', { nullable: true }) reason!: string | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
  /**
   * Whether it waits until its contact changes. A change releases it by a trigger; neither a claim nor the preflight check
   * writes it.
   */
  @Column('boolean', { default: false }) waits_for_contact!: boolean;
  /** Its provider could not be used: what ends that makes it due. Only with the reason `temporary_failure`. */
  @Column('boolean', { default: false }) waits_for_provider!: boolean;
  @Column('uuid', { nullable: true }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lease_until!: Date | null;
  /** The day (UTC) for which the last claim reserved it in the daily limit of its account, and on which it counts. */
  @Column('date', { nullable: true }) reserved_on!: string | null;
  /**
   * The day, in the zone of its campaign, for which it is reserved as the first message to its contact; `-infinity` if
   * the reservation was revoked. Null if its campaign has no limit of new contacts, or none was reserved yet.
   */
  @Column('date', { nullable: true }) new_on!: string | null;
  // What an earlier attempt or a report has set: of a message that is retried, or whose result is not recorded yet.
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sent_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) delivered_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) opened_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) clicked_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) replied_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) unsubscribed_at!: Date | null;
  @Column('smallint', { default: 0 }) bot_opens!: number;
  @Column('smallint', { default: 0 }) bot_clicks!: number;
  @Column('text', { nullable: true }) bot_reason!: BotReason | null;
}

/**
 * The messages that a worker has claimed at one time: the list of leases, which recovery and renewal read instead of the
 * queue. The leases themselves are in `queued_messages`. Recovery deletes the row when none of them is leased any more.
 */
@Entity('message_claims')
export class MessageClaim {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('uuid') claimed_by!: string;
  @Column('bigint', { array: true }) message_ids!: number[];
}

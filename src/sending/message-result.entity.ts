import { Check, Column, Entity, Index } from 'typeorm';
import { Enrollment } from '../campaigns/index.js';
import { BelongsTo, WorkspaceEntity } from '../platform/tenancy/index.js';
import type { BotReason } from './bot-reasons.js';
import type { ResultStatus } from './message.entity.js';

/**
 * A message whose sending has ended, with its result. The row is inserted once; only reports change it, and a retry moves
 * it back to `queued_messages`. The table can be partitioned by ranges of IDs, which ascend with time: every key contains
 * the ID, and no foreign key refers to it. That there is one message per enrollment and step is ensured by planning and by
 * `queued_messages`.
 */
@Entity('messages')
@Index('messages_by_enrollment', ['workspace_id', 'enrollment_id', 'step_id'])
@Index('messages_by_creation', ['workspace_id', 'campaign_id', 'created_at', 'id'])
@Index('messages_by_update', { synchronize: false })
@Check(
  'message_result_known',
  `status IN ('sent', 'delivered', 'bounced', 'complained', 'failed', 'cancelled', 'unknown')`,
)
@BelongsTo(() => Enrollment, 'enrollment_id')
export class MessageResult extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  @Column({ type: 'bigint', update: false }) enrollment_id!: number;
  @Column({ type: 'bigint', update: false }) contact_id!: number;
  @Column({ type: 'bigint', nullable: true }) step_id!: number | null;
  /** The variant of the step that was drawn, also after it was removed; null if the step had none. */
  @Column({ type: 'bigint', nullable: true }) variant_id!: number | null;
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  /** The reply that it answers; null for the message of a step. */
  @Column({ type: 'bigint', nullable: true, update: false }) reply_id!: number | null;
  @Column('text') status!: ResultStatus;
  @Column('text', { nullable: true }) subject!: string | null;
  @Column('text', { nullable: true }) message_id!: string | null;
  @Column('int', { default: 0 }) attempts!: number;
  @Column('smallint', { default: 0 }) uncertain_attempts!: number;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('date', { nullable: true }) reserved_on!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) sent_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) delivered_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) opened_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) clicked_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) replied_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) bounced_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) complained_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) unsubscribed_at!: Date | null;
  /** Requests for the pixel that do not count. */
  @Column('smallint', { default: 0 }) bot_opens!: number;
  /** Requests for links that do not count. */
  @Column('smallint', { default: 0 }) bot_clicks!: number;
  /** Why the last request that does not count does not; null if there was none. */
  @Column('text', { nullable: true }) bot_reason!: BotReason | null;
  /** When it ended in a soft bounce, of which five in a row make the contact `bounced`. A retry clears it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) soft_bounced_at!: Date | null;
  /** The address that the soft bounce is about. */
  @Column('text', { nullable: true }) soft_bounced_address!: string | null;
}

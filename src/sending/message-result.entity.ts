import { Check, Column, Entity, Index } from 'typeorm';
import { Enrollment } from '../campaigns/index.js';
import { BelongsTo } from '../platform/tenancy/index.js';
import { Message, type ResultStatus } from './message.entity.js';

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
export class MessageResult extends Message {
  declare status: ResultStatus;
  /** When it ended in a soft bounce, of which five in a row make the contact `bounced`. A retry clears it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) soft_bounced_at!: Date | null;
  /** The address that the soft bounce is about. */
  @Column('text', { nullable: true }) soft_bounced_address!: string | null;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Enrollment } from '../../campaigns/index.js';
import { BelongsTo } from '../../platform/tenancy/index.js';

/**
 * The content of a message that is not that of a step, such as an answer to a reply. It is sent as it is: nothing is
 * filled in or added. The row stays when the message moves from `queued_messages` to `messages`.
 */
@Entity('message_contents')
@Index('message_contents_by_enrollment', ['workspace_id', 'enrollment_id'])
@BelongsTo(() => Enrollment, 'enrollment_id')
export class OwnContent {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') message_id!: number;
  /** The enrollment of the message, with which the content is deleted. */
  @Column('bigint') enrollment_id!: number;
  /** In lower case. */
  @Column('text') to_address!: string;
  @Column('text') subject!: string;
  /** HTML. */
  @Column('text') body!: string;
  /** The Message-IDs of the thread without angle brackets, oldest first; the message replies to the last of them. */
  @Column('text', { array: true }) thread!: string[];
}

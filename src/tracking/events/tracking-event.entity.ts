import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Enrollment } from '../../campaigns/index.js';
import { BelongsTo } from '../../platform/tenancy/index.js';
import type { BotReason } from '../../sending/index.js';

/** A request for the pixel of a message, or for one of its links. */
export type TrackingEventKind = 'open' | 'click';

/** `undecided` until later requests could show that a bot made it. */
export type BotClassification = 'undecided' | 'counted' | BotReason;

/** One request for the pixel or a link of a message, by its recipient or by a bot. */
@Entity('tracking_events')
@Index('tracking_events_of_message', ['workspace_id', 'enrollment_id', 'message_id', 'kind'])
@Index('tracking_events_undecided', ['workspace_id', 'created_at'], { where: `classification = 'undecided'` })
@Check('tracking_event_kind_known', `kind IN ('open', 'click')`)
@Check(
  'tracking_event_classification_known',
  `classification IN ('undecided', 'counted', 'head', 'prefetch', 'agent', 'hidden_link', 'many_links')`,
)
@BelongsTo(() => Enrollment, 'enrollment_id')
export class TrackingEvent {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') message_id!: number;
  /** The enrollment of the message, with which the event is deleted. */
  @Column('bigint') enrollment_id!: number;
  @Column('text') kind!: TrackingEventKind;
  /** The number of the link in the body, from 1; 0 is the hidden link. Null for the pixel. */
  @Column('int', { nullable: true }) link!: number | null;
  /** The target of the link. */
  @Column('text', { nullable: true }) url!: string | null;
  @Column('text', { nullable: true }) user_agent!: string | null;
  @Column('text') classification!: BotClassification;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

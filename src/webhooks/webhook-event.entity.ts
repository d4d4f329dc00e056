import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * The body of one event, to which all of its deliveries and logs refer. Exists only if a webhook was subscribed.
 * Partitioned by day (UTC), so that old events are deleted by dropping a partition.
 */
@Entity('webhook_events')
@Index('webhook_events_of_contact', ['workspace_id', 'contact_id', 'id'], { where: 'contact_id IS NOT NULL' })
export class WebhookEvent {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('increment', { type: 'bigint' }) id!: number;
  @PrimaryColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  /** The name. */
  @Column('text') event!: string;
  /** The contact that the body tells of; null if there is none, or it was erased and the body is redacted. */
  @Column({ type: 'bigint', nullable: true }) contact_id!: number | null;
  /** The body that is signed and sent. Type `json`, because `jsonb` would not preserve the text. */
  @Column('json') payload!: object;
}

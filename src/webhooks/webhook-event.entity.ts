import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * The body of one event, to which all of its deliveries and logs refer. Exists only if a webhook was subscribed.
 * Partitioned by day (UTC), so that old events are deleted by dropping a partition.
 */
@Entity('webhook_events')
export class WebhookEvent {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('increment', { type: 'bigint' }) id!: number;
  @PrimaryColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  /** The name. */
  @Column('text') event!: string;
  /** The body that is signed and sent. Type `json`, because `jsonb` would not preserve the text. */
  @Column('json') payload!: object;
}

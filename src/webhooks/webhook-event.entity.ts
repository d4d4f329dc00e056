import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What is told of one event: the body that all deliveries and logs of it refer to. Partitioned by the day (UTC), so that
 * old ones go at no cost. Only written where a webhook hears of it.
 */
@Entity('webhook_events')
export class WebhookEvent {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('increment', { type: 'bigint' }) id!: number;
  @PrimaryColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  /** Its name. */
  @Column('text') event!: string;
  /** The body, byte for byte as it is signed and sent: `json` keeps the text as it is. */
  @Column('json') payload!: object;
}

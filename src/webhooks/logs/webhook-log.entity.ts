import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * One attempt to deliver (API v1, "Webhook delivery log"). Partitioned by the day (UTC), so that old ones go at no cost;
 * for the same reason nothing refers to it, and a deleted webhook leaves its logs to run out.
 */
@Entity('webhook_logs')
@Index('webhook_logs_alike', ['workspace_id', 'webhook_id', 'event', 'status_code', 'id'])
@Index('webhook_logs_by_webhook', ['workspace_id', 'webhook_id', 'created_at', 'id'])
export class WebhookLog {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') webhook_id!: number;
  @PrimaryGeneratedColumn('increment', { type: 'bigint' }) id!: number;
  @PrimaryColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
  /** The name of the event. */
  @Column('text') event!: string;
  @Column('bigint') event_id!: number;
  @Column({ type: 'timestamptz', precision: 3 }) event_created_at!: Date;
  @Column('uuid') delivery_id!: string;
  /** The first is 1. */
  @Column('smallint') attempt!: number;
  /** Of the receiver's answer; 0 where it was not reached. */
  @Column('smallint') status_code!: number;
  @Column('boolean') success!: boolean;
  /** The beginning of the answer's body, or why there is none. */
  @Column('text') response!: string;
}

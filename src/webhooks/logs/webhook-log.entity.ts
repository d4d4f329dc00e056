import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * One attempt at a delivery (API v1, "Webhook delivery log"). Partitioned by day (UTC), so that old logs are deleted by
 * dropping a partition. It has no foreign keys: the logs of a deleted webhook stay until their partition is dropped.
 */
@Entity('webhook_logs')
@Index('webhook_logs_alike', ['workspace_id', 'webhook_id', 'event', 'status_code', 'id'])
@Index('webhook_logs_of_event', ['workspace_id', 'event_id'])
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
  /** Of a redelivery: the `delivery_id` of the first delivery of the event. */
  @Column('uuid', { nullable: true }) original_delivery_id!: string | null;
  /** The first is 1. */
  @Column('smallint') attempt!: number;
  /** The status of the response; 0 if the endpoint was not reached. */
  @Column('smallint') status_code!: number;
  @Column('boolean') success!: boolean;
  /** The beginning of the response body, or the reason why there is no response. */
  @Column('text') response!: string;
}

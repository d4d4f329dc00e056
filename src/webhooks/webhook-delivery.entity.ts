import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BelongsTo } from '../platform/tenancy/index.js';
import { Webhook } from './webhook.entity.js';

/**
 * An event that is to be delivered to one webhook. The row is deleted when an attempt has succeeded or the last attempt
 * has failed; the attempts stay in the log.
 */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_due', ['workspace_id', 'webhook_id', 'next_attempt_at', 'id'])
@Index('webhook_deliveries_of_event', ['workspace_id', 'event_id'])
@Index('webhook_deliveries_forced', ['workspace_id', 'webhook_id', 'next_attempt_at'], { where: 'forced' })
@BelongsTo(() => Webhook, 'webhook_id')
export class WebhookDelivery {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') webhook_id!: number;
  @Column('bigint') event_id!: number;
  @Column({ type: 'timestamptz', precision: 3 }) event_created_at!: Date;
  /** Identifies the delivery for receivers, in all attempts. */
  @Column('uuid') delivery_id!: string;
  /** Of a redelivery: the `delivery_id` of the first delivery of the event. */
  @Column('uuid', { nullable: true }) original_delivery_id!: string | null;
  /** Failed attempts. */
  @Column('smallint', { default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
  /** A user requested it, so it is delivered even if the webhook is inactive. */
  @Column('boolean', { default: false }) forced!: boolean;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BelongsTo } from '../platform/tenancy/index.js';
import { Webhook } from './webhook.entity.js';

/**
 * An event on its way to one webhook. The row goes when the receiver has taken it or the last attempt has failed; the
 * log keeps what happened.
 */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_due', ['workspace_id', 'webhook_id', 'next_attempt_at', 'id'])
@Index('webhook_deliveries_forced', ['workspace_id', 'webhook_id', 'next_attempt_at'], { where: 'forced' })
@BelongsTo(() => Webhook, 'webhook_id')
export class WebhookDelivery {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') webhook_id!: number;
  @Column('bigint') event_id!: number;
  @Column({ type: 'timestamptz', precision: 3 }) event_created_at!: Date;
  /** What receivers know it by, the same in all attempts. */
  @Column('uuid') delivery_id!: string;
  /** Attempts that have failed. */
  @Column('smallint', { default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_attempt_at!: Date;
  /** Goes to an inactive webhook, too, because somebody asked for it. */
  @Column('boolean', { default: false }) forced!: boolean;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

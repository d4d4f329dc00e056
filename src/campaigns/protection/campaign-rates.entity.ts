import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Campaign } from '../campaign/campaign.entity.js';

/**
 * What has become of the messages of a campaign since its last start. Only bounces and complaints update the row; how many
 * messages were sent is in the counter {@link SENT_MESSAGES}.
 */
@Entity('campaign_rates')
@BelongsTo(() => Campaign, 'campaign_id')
export class CampaignRates {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') campaign_id!: number;
  /** The last start. Messages that were sent before it do not count, whenever they bounce. */
  @Column({ type: 'timestamptz', precision: 3 }) counted_from!: Date;
  /** The value of the counter at the last start. */
  @Column('bigint') sent_before!: number;
  /** Messages that a server has refused because the address is dead. They count as bounced, too, but not in the counter. */
  @Column('int', { default: 0 }) refused!: number;
  @Column('int', { default: 0 }) bounced!: number;
  @Column('int', { default: 0 }) complained!: number;
  /** How many messages had been sent when the rates were compared for the last time. */
  @Column('bigint', { default: 0 }) compared_at_sent!: number;
}

/** The counter (`record_counts`) of the messages of steps that mail servers have accepted, by campaign. */
export const SENT_MESSAGES = 'messages_sent';

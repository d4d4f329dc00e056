import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Campaign } from '../../../campaigns/index.js';
import { BelongsTo } from '../../../platform/tenancy/index.js';

/**
 * How many contacts of a campaign have got their first message on a day, or will: the sum of its rows. A reservation
 * replaces them by one row, under the lock of the campaign. What is cancelled adds a negative row, without a lock.
 */
@Entity('new_contact_counts')
@Index('new_contact_counts_by_day', ['workspace_id', 'campaign_id', 'day'])
@BelongsTo(() => Campaign, 'campaign_id')
export class NewContactCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') campaign_id!: number;
  /** In the zone of the campaign's schedule, else in UTC. */
  @Column('date') day!: string;
  @Column('int') contacts!: number;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Campaign } from '../campaign/campaign.entity.js';

/**
 * A pass over all members of the lists and segments of a campaign that has started, or has got others. The row is deleted at
 * the end.
 */
@Entity('auto_enroll_passes')
@BelongsTo(() => Campaign, 'campaign_id')
export class AutoEnrollPass {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') campaign_id!: number;
  /** Another one for each request, so that what is still read for an earlier one does not move the cursor. */
  @Column('uuid') request!: string;
  /** The list that is read; after the last one, all contacts are read for the segments. */
  @Column('smallint', { default: 0 }) list_index!: number;
  /** The last contact that was read. */
  @Column({ type: 'timestamptz', precision: 3 }) after_created_at!: Date;
  @Column('bigint', { default: 0 }) after_id!: number;
  /** Transactions before this one may have changed contacts without noting them. Null before the first chunk. */
  @Column({ type: 'bigint', nullable: true }) horizon!: number | null;
  /** It has begun, or waits to begin, after the end of all transactions before `horizon`. */
  @Column('boolean', { default: false }) is_last!: boolean;
}

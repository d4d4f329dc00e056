import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Contact } from '../../contacts/index.js';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Campaign } from '../campaign/campaign.entity.js';

/** A contact that was removed from a campaign by a request. The campaign does not enroll it by itself any more. */
@Entity('removed_enrollments')
@Index('removed_enrollments_by_campaign', ['workspace_id', 'campaign_id'])
@BelongsTo(() => Campaign, 'campaign_id')
@BelongsTo(() => Contact, 'contact_id')
export class RemovedEnrollment {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') contact_id!: number;
  @PrimaryColumn('bigint') campaign_id!: number;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

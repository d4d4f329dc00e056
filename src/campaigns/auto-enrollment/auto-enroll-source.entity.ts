import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { List } from '../../contacts/index.js';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Segment } from '../../segments/index.js';
import { Campaign } from '../campaign/campaign.entity.js';

/** A list or a segment whose members a campaign enrolls while it is active. Triggers set `auto_enrolls` of the campaign. */
@Entity('auto_enroll_sources')
@Index('auto_enroll_sources_by_list', ['workspace_id', 'list_id'])
@Index('auto_enroll_sources_by_segment', ['workspace_id', 'segment_id'])
@Check('auto_enroll_source_once', 'num_nonnulls(list_id, segment_id) = 1')
@BelongsTo(() => Campaign, 'campaign_id')
@BelongsTo(() => List, 'list_id')
@BelongsTo(() => Segment, 'segment_id')
export class AutoEnrollSource {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') campaign_id!: number;
  /** The index in the input, from 0: lists first, then segments. */
  @PrimaryColumn('smallint') position!: number;
  @Column({ type: 'bigint', nullable: true }) list_id!: number | null;
  @Column({ type: 'bigint', nullable: true }) segment_id!: number | null;
}

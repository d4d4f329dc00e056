import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../platform/tenancy/index.js';
import { Segment } from './segment.entity.js';

/** The last count of the contacts of a segment, and what it was counted from. */
@Entity('segment_counts')
@BelongsTo(() => Segment, 'segment_id')
export class SegmentCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') segment_id!: number;
  @Column('bigint') contacts_count!: number;
  /** The MD5 digest of the counted match type and conditions. */
  @Column('text') definition!: string;
  /** The workspace's number of changes to contacts at that time. If it has not changed, the count is current. */
  @Column('bigint') contact_changes!: number;
  @Column({ type: 'timestamptz', precision: 3 }) counted_at!: Date;
  @Column('integer') took_ms!: number;
}

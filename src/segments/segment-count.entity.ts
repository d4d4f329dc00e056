import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../platform/tenancy/index.js';
import { Segment } from './segment.entity.js';

/** The last number of contacts that a segment was found to have, and what it holds for. */
@Entity('segment_counts')
@BelongsTo(() => Segment, 'segment_id')
export class SegmentCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') segment_id!: number;
  @Column('bigint') contacts_count!: number;
  /** A digest of the conditions that were counted by. */
  @Column('text') definition!: string;
  /** The workspace's number of changes to contacts at that time: as long as it is the same, so is the count. */
  @Column('bigint') contact_changes!: number;
  @Column({ type: 'timestamptz', precision: 3 }) counted_at!: Date;
  @Column('integer') took_ms!: number;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Numbers of rows that triggers keep, because counting a million rows takes longer than the page that shows the number.
 * Spread over shards so that writers do not queue up for one row; the number is their sum.
 */
@Entity('record_counts')
export class RecordCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  /** The table whose rows are counted: `contacts`, `list_members`, `tag_members`, `enrollments`. */
  @PrimaryColumn('text') counted!: string;
  /** The list, tag or campaign whose rows are counted; 0 for the whole workspace. */
  @PrimaryColumn('bigint') owner_id!: number;
  @PrimaryColumn('smallint') shard!: number;
  @Column('bigint') total!: number;
}

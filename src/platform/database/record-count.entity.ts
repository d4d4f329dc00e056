import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Counters that triggers update, because counting a million rows takes longer than reading the page that shows the
 * number. A statement that changes a counter only inserts a row with the difference, so writers do not wait for each
 * other; the value is the sum of the rows. `CounterCache` merges the rows regularly.
 */
@Entity('record_counts')
@Index('record_counts_by_owner', ['workspace_id', 'counted', 'owner_id'])
@Index('record_counts_to_merge', ['id'], { where: 'NOT is_merged' })
export class RecordCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  /**
   * What is counted: the rows of a table (`contacts`, `list_members`, `tag_members`, `enrollments`), or, as
   * `contact_changes`, the statements that changed contacts or their memberships, or, as `blacklist_entries_added`, the
   * entries that were created on a day.
   */
  @Column('text') counted!: string;
  /** The list, tag or campaign whose rows are counted, the day since 1970, or 0 for the whole workspace. */
  @Column('bigint') owner_id!: number;
  @Column('bigint') total!: number;
  @Column('boolean', { default: false }) is_merged!: boolean;
}

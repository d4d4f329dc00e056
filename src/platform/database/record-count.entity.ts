import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Numbers that triggers keep, because counting a million rows takes longer than the page that shows the number. Every
 * statement that changes one only adds a row with the difference, so writers never wait for each other; the number is
 * the sum of the rows. {@link KeptCounts} merges them now and then.
 */
@Entity('record_counts')
@Index('record_counts_by_owner', ['workspace_id', 'counted', 'owner_id'])
@Index('record_counts_to_merge', ['id'], { where: 'NOT is_merged' })
export class RecordCount {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  /**
   * What is counted: the rows of a table (`contacts`, `list_members`, `tag_members`, `enrollments`), or with
   * `contact_changes` the statements that changed contacts or what they are members of.
   */
  @Column('text') counted!: string;
  /** The list, tag or campaign whose rows are counted; 0 for the whole workspace. */
  @Column('bigint') owner_id!: number;
  @Column('bigint') total!: number;
  @Column('boolean', { default: false }) is_merged!: boolean;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The requests of one key in its window. The table is unlogged: a crash of the database loses the counts of one minute.
 */
@Entity('quota_counters')
export class QuotaCounter {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'quota_counters_pk' }) key!: string;
  @Column('int') requests!: number;
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
}

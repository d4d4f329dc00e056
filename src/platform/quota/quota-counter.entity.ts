import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Requests counted in one window of one key. The table is unlogged: a crash of the database forgives a minute. */
@Entity('quota_counters')
export class QuotaCounter {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'quota_counters_pk' }) key!: string;
  @Column('int') hits!: number;
  @Column({ type: 'timestamptz', precision: 3 }) ends_at!: Date;
}

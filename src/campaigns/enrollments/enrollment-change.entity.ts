import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Enrollment } from './enrollment.entity.js';

/** A request that moved an enrollment to another step. It is deleted with the enrollment. */
@Entity('enrollment_changes')
@Index('enrollment_changes_of_enrollment', ['workspace_id', 'enrollment_id', 'id'])
@Check('enrollment_change_kind_known', `kind IN ('skipped', 'moved')`)
@BelongsTo(() => Enrollment, 'enrollment_id')
export class EnrollmentChange {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' }) id!: number;
  @Column('bigint') enrollment_id!: number;
  @Column('text') kind!: 'skipped' | 'moved';
  /** The step that was skipped, or to which the enrollment was moved; it may have been deleted. */
  @Column({ type: 'bigint', nullable: true }) step_id!: number | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) created_at!: Date;
}

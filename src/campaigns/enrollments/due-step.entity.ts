import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../platform/tenancy/index.js';
import { Enrollment } from './enrollment.entity.js';

/**
 * When the current step of a running enrollment is due. There is no row while its message is queued or being sent, and
 * after the enrollment has ended. It is a table of its own because planning deletes these rows in batches, which is
 * cheaper than an update of the enrollments with all their indexes.
 */
@Entity('due_steps')
@Index('due_steps_by_time', ['workspace_id', 'campaign_id', 'email_account_id', 'due_at', 'enrollment_id'])
@BelongsTo(() => Enrollment, 'enrollment_id')
export class DueStep {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') enrollment_id!: number;
  @Column('bigint') campaign_id!: number;
  /** That of the enrollment. Null if the contact is new to the campaign, else 0 if it has none (`ANY_ACCOUNT`). */
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  /** The variant of the step that was drawn before; it is planned again. */
  @Column({ type: 'bigint', nullable: true }) variant_id!: number | null;
  @Column({ type: 'timestamptz', precision: 3 }) due_at!: Date;
  /**
   * If it is `due_at`, the step is due already, and waits for the window in the time zone of its contact. A change of
   * `due_at` alone makes it a delay again.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) postponed_until!: Date | null;
}

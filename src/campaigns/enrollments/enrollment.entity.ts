import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Contact } from '../../contacts/index.js';
import { EmailAccount } from '../../email-accounts/index.js';
import type { Transitions } from '../../platform/concurrency/index.js';
import { BelongsTo, WorkspaceEntity } from '../../platform/tenancy/index.js';
import { Campaign } from '../campaign/campaign.entity.js';
import { Step } from '../steps/step.entity.js';

/**
 * How far a contact is in a campaign. `completed`, `failed` and `unsubscribed` are final: nothing more is sent.
 */
export const ENROLLMENT_STATUSES = [
  /** Nothing was sent to the contact yet. */
  'pending',
  /** At least one step was sent, and others follow. */
  'in_progress',
  /** The last step was sent, or the contact has replied. */
  'completed',
  /** A message could not be delivered for good, or the address is on the blacklist. */
  'failed',
  /** The contact has unsubscribed or complained. */
  'unsubscribed',
] as const;
/** The status of an enrollment. */
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number];

/** Which statuses may follow each status. Skipping the last step completes an enrollment in any status. */
export const ENROLLMENT_TRANSITIONS: Transitions<EnrollmentStatus> = {
  pending: ['in_progress', 'completed', 'failed', 'unsubscribed'],
  in_progress: ['completed', 'failed', 'unsubscribed'],
  completed: ['failed'],
  failed: ['pending', 'in_progress', 'completed'],
  unsubscribed: ['completed'],
};

/** A contact's progress through a campaign's steps. */
@Entity('enrollments')
@Unique('enrollment_once', ['workspace_id', 'contact_id', 'campaign_id'])
@Index('enrollments_by_status', ['workspace_id', 'campaign_id', 'status', 'created_at', 'id'])
@Index('enrollments_by_creation', ['workspace_id', 'campaign_id', 'created_at', 'id'])
@Index('enrollments_by_step', ['workspace_id', 'current_step_id'])
@Index('enrollments_by_update', { synchronize: false })
@Check('enrollment_status_known', `status IN ('pending', 'in_progress', 'completed', 'failed', 'unsubscribed')`)
@BelongsTo(() => Campaign, 'campaign_id')
@BelongsTo(() => Contact, 'contact_id')
@BelongsTo(() => Step, 'current_step_id', 'NO ACTION')
@BelongsTo(() => EmailAccount, 'email_account_id', 'NO ACTION')
export class Enrollment extends WorkspaceEntity {
  @Column({ type: 'bigint', update: false }) campaign_id!: number;
  @Column({ type: 'bigint', update: false }) contact_id!: number;
  /** The step to send next, or the last one that was sent. */
  @Column({ type: 'bigint', nullable: true }) current_step_id!: number | null;
  /** The sender of all messages; it is chosen for the first one, and stored with its result. */
  @Column({ type: 'bigint', nullable: true }) email_account_id!: number | null;
  @Column('text', { default: 'pending' }) status!: EnrollmentStatus;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at!: Date | null;
  /**
   * When it failed, or the contact unsubscribed. Rows of earlier versions do not have it: their last change is the best that
   * is known.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) stopped_at!: Date | null;
}

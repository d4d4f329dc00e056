import { Injectable } from '@nestjs/common';
import { defineReason, RuleViolated, ValidationFailed } from '@outreach/http-errors';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CampaignCompletion } from '../campaign/campaign-completion.service.js';
import type { Campaign } from '../campaign/campaign.entity.js';
import { stepsInOrder } from '../steps/steps.queries.js';
import { lockCampaignForShare } from './enroll.queries.js';
import { EnrollmentRecords } from './enrollment-records.service.js';
import { lockEnrollment, moveToStep, recordEnrollmentChange } from './enrollments.queries.js';
import type { EnrollmentRecord } from './enrollment.view.js';

const ENROLLMENT_ENDED = defineReason(
  'enrollment_ended',
  422,
  'The enrollment has ended. Only a running one can be moved.',
);

class EnrollmentEnded extends RuleViolated {
  constructor(status: string) {
    super(ENROLLMENT_ENDED, `The enrollment has ended with the status ${status}. Only a running one can be moved.`);
  }
}

@Injectable()
export class EnrollmentMove {
  constructor(
    private readonly records: EnrollmentRecords,
    private readonly events: DomainEvents,
    private readonly completion: CampaignCompletion,
  ) {}

  /**
   * The enrollment continues with the step now, without its delay. What is queued of another step is cancelled; a step that
   * was sent before is not sent again.
   * @throws NotFound if the contact is not enrolled; EnrollmentEnded; ValidationFailed if the step was deleted in the
   *   meantime
   */
  async move(scope: WorkspaceScope, campaign: Campaign, contactId: number, stepId: number): Promise<EnrollmentRecord> {
    await scope.transaction((tx) => this.moveLocked(tx, campaign.id, contactId, stepId));
    return this.records.get(scope, campaign, contactId);
  }

  private async moveLocked(tx: WorkspaceScope, campaignId: number, contactId: number, stepId: number): Promise<void> {
    const campaign = await lockCampaignForShare(tx, campaignId);
    const enrollment = await lockEnrollment(tx, campaignId, contactId);
    if (!['pending', 'in_progress'].includes(enrollment.status)) throw new EnrollmentEnded(enrollment.status);
    const steps = await stepsInOrder(tx, campaignId);
    if (!steps.some(({ id }) => id === stepId)) throw new ValidationFailed({ step_id: ['The step does not exist.'] });
    await moveToStep(tx, enrollment, stepId);
    await recordEnrollmentChange(tx, enrollment.id, { kind: 'moved', stepId });
    if (enrollment.current_step_id !== stepId) {
      const enrollments = sql`SELECT ${enrollment.id}::bigint`;
      await this.events.publish(tx, 'enrollments.moved', { enrollments, step_id: stepId });
    }
    if (campaign) await this.completion.noteWork(tx, campaign);
  }
}

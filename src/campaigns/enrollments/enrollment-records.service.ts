import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { contactRecords } from '../../contacts/index.js';
import { cachedCount, sql } from '../../platform/database/index.js';
import { type ListQuery, Page, type WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Campaign } from '../campaign/campaign.entity.js';
import { stepRecords } from '../steps/step-variants.queries.js';
import { EnrollmentTiming, NOTHING_TO_SEND } from './enrollment-timing.js';
import { Enrollment } from './enrollment.entity.js';
import type { EnrollmentRecord } from './enrollment.view.js';

@Injectable()
export class EnrollmentRecords {
  constructor(private readonly timing: EnrollmentTiming) {}

  async page(scope: WorkspaceScope, campaign: Campaign, query: ListQuery): Promise<Page<EnrollmentRecord>> {
    const total = cachedCount(scope, 'enrollments', sql`${campaign.id}`);
    const page = await scope.of(Enrollment).page(query, [sql`record.campaign_id = ${campaign.id}`], total);
    return page.withRecords(await this.withRecords(scope, campaign, page.data));
  }

  /** A contact's enrollment. @throws NotFound */
  async get(scope: WorkspaceScope, campaign: Campaign, contactId: number): Promise<EnrollmentRecord> {
    const found = await scope.of(Enrollment).find({ campaign_id: campaign.id, contact_id: contactId });
    const [enrollment] = await this.withRecords(scope, campaign, found);
    if (!enrollment) throw new NotFound('Enrollment');
    return enrollment;
  }

  /** An enrollment is left out if its contact was deleted in the meantime. */
  private async withRecords(
    scope: WorkspaceScope,
    campaign: Campaign,
    enrollments: readonly Enrollment[],
  ): Promise<EnrollmentRecord[]> {
    if (enrollments.length === 0) return [];
    const contacts = await contactRecords(scope).findByIds(enrollments.map((enrollment) => enrollment.contact_id));
    const steps = await stepRecords(scope).findByIds(
      enrollments.flatMap((enrollment) => enrollment.current_step_id ?? []),
    );
    const nextSends = await this.timing.find(scope, campaign, enrollments);
    const contactOf = new Map(contacts.map((contact) => [contact.id, contact]));
    const stepOf = new Map(steps.map((step) => [step.id, step]));
    return enrollments.flatMap((enrollment) => {
      const contact = contactOf.get(enrollment.contact_id);
      const currentStep = stepOf.get(enrollment.current_step_id ?? 0) ?? null;
      const next = nextSends.get(enrollment.id) ?? NOTHING_TO_SEND;
      return contact ? [{ ...enrollment, ...next, contact, current_step: currentStep }] : [];
    });
  }
}

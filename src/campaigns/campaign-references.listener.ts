import { Injectable } from '@nestjs/common';
import type { ContactsEvent } from '../contacts/index.js';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { sql } from '../platform/database/index.js';
import { DomainEvents, OnDomainEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { TemplateDeleted } from '../templates/index.js';
import { CampaignCompletion } from './campaign/campaign-completion.service.js';
import { removeAccount } from './campaigns.queries.js';
import { EnrollmentTransitions } from './enrollments/enrollment-transitions.service.js';
import { detachAccountFromEnrollments } from './enrollments/enrollments.queries.js';
import { duePostponedSteps } from './steps/waiting-enrollments.queries.js';
import { detachTemplateFromSteps } from './steps/steps.queries.js';

/** Updates campaigns after changes of the contacts, templates and email accounts that they refer to. */
@Injectable()
export class CampaignReferences {
  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly completion: CampaignCompletion,
    private readonly events: DomainEvents,
  ) {}

  @OnDomainEvent('contact.unsubscribed')
  async endEnrollments(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    const campaigns = await this.transitions.unsubscribe(scope, contacts);
    await this.completion.completeIfDone(scope, campaigns);
  }

  @OnDomainEvent('contact.address_refused')
  endEnrollmentsOfAddress(scope: WorkspaceScope, event: ContactsEvent): Promise<void> {
    return this.endEnrollments(scope, event);
  }

  /** The next poll plans the steps that are due now. */
  @OnDomainEvent('contact.timezone_changed')
  async planAgain(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    await duePostponedSteps(scope, sql.among(sql`enrollment.contact_id`, contacts));
  }

  @OnDomainEvent('template.deleted')
  detachTemplate(scope: WorkspaceScope, { template_id: id }: TemplateDeleted): Promise<void> {
    return detachTemplateFromSteps(scope, id);
  }

  /** Pauses active campaigns that have no other account (API v1, "Email accounts"). */
  @OnDomainEvent('email_account.deleted')
  async detachAccount(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    await detachAccountFromEnrollments(scope, id);
    const paused = await removeAccount(scope, id);
    if (paused.length === 0) return;
    await this.events.publish(scope, 'campaign.paused', { campaigns: sql`SELECT unnest(${paused}::bigint[])` });
  }
}

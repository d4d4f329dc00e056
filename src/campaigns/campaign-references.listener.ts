import { Injectable } from '@nestjs/common';
import type { ContactsEvent } from '../contacts/index.js';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { OnDomainEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { TemplateDeleted } from '../templates/index.js';
import { CampaignCompletion } from './campaign/campaign-completion.service.js';
import { EnrollmentTransitions } from './enrollments/enrollment-transitions.service.js';
import { detachAccountFromEnrollments } from './enrollments/enrollments.queries.js';
import { detachTemplateFromSteps } from './steps/steps.queries.js';

/** Updates campaigns after changes of the contacts, templates and email accounts that they refer to. */
@Injectable()
export class CampaignReferences {
  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly completion: CampaignCompletion,
  ) {}

  @OnDomainEvent('contact.unsubscribed')
  async endEnrollments(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    const campaigns = await this.transitions.unsubscribe(scope, contacts);
    await this.completion.completeIfDone(scope, campaigns);
  }

  @OnDomainEvent('template.deleted')
  detachTemplate(scope: WorkspaceScope, { template_id: id }: TemplateDeleted): Promise<void> {
    return detachTemplateFromSteps(scope, id);
  }

  /** The rows of `campaign_accounts` are deleted by their foreign key. */
  @OnDomainEvent('email_account.deleted')
  detachAccount(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    return detachAccountFromEnrollments(scope, id);
  }
}

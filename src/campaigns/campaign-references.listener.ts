import { Injectable } from '@nestjs/common';
import type { ContactsEvent } from '../contacts/index.js';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { On } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { TemplateDeleted } from '../templates/index.js';
import { CampaignCompletion } from './campaign-completion.service.js';
import { EnrollmentMoves } from './enrollments/enrollment-moves.service.js';
import { forgetAccount } from './enrollments/enrollments.queries.js';
import { forgetTemplate } from './steps/steps.queries.js';

/** What happens elsewhere to the contacts, templates and accounts that campaigns refer to. */
@Injectable()
export class CampaignReferences {
  constructor(
    private readonly moves: EnrollmentMoves,
    private readonly completion: CampaignCompletion,
  ) {}

  @On('contact.unsubscribed')
  async endEnrollments(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    const campaigns = await this.moves.unsubscribe(scope, contacts);
    await this.completion.completeIfDone(scope, campaigns);
  }

  @On('template.deleted')
  forgetTemplate(scope: WorkspaceScope, { template_id: id }: TemplateDeleted): Promise<void> {
    return forgetTemplate(scope, id);
  }

  /** The campaign's own list of accounts forgets it by its foreign key. */
  @On('email_account.deleted')
  forgetAccount(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    return forgetAccount(scope, id);
  }
}

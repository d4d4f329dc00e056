import { Injectable } from '@nestjs/common';
import { PublicEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { EXAMPLE_DISABLED } from './email-account.example.js';
import type { EmailAccountEvent } from './email-account.events.js';
import { emailAccountView } from './email-account.view.js';
import { countedAccounts } from './email-accounts.queries.js';

/** The public events of email accounts. The payload is the account at the time of the event (API v1, "Events"). */
@Injectable()
export class EmailAccountPublicEvents {
  @PublicEvent('email_account.disabled', {
    when:
      'The service makes an email account inactive, because its server refuses the login or every recipient, or its ' +
      'owner has withdrawn the consent: `disabled_reason`.',
    view: emailAccountView,
    example: EXAMPLE_DISABLED,
  })
  async *disabled(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent) {
    yield [await countedAccounts(scope).get(id)];
  }
}

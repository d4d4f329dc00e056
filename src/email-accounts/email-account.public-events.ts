import { Injectable } from '@nestjs/common';
import { PublicEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { EXAMPLE_DISABLED, exampleWithError } from './email-account.example.js';
import type { EmailAccountEvent, MailSkippedEvent } from './email-account.events.js';
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

  @PublicEvent('email_account.mail_skipped', {
    when:
      'A mail in the mailbox of an email account could not be read three times: `last_error` names it. The mails behind it are ' +
      'read. Look at it yourself; it may be an answer.',
    view: emailAccountView,
    example: exampleWithError(),
  })
  async *mailSkipped(scope: WorkspaceScope, { email_account_id: id, error }: MailSkippedEvent) {
    yield [{ ...(await countedAccounts(scope).get(id)), last_error: error }];
  }
}

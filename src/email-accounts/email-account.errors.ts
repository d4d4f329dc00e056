import { LoginRefused } from '@outreach/mail-sessions';
import { defineReason, Forbidden } from '@outreach/http-errors';

const LAST_EMAIL_ACCOUNT = defineReason(
  'last_email_account',
  403,
  'The only email account of a workspace cannot be deleted.',
);

/** API v1, "Email account default flag". */
export class LastAccountRequired extends Forbidden {
  constructor() {
    super(LAST_EMAIL_ACCOUNT, 'The only email account of a workspace cannot be deleted.');
  }
}

/** The account has no credentials, or no configured key can decrypt them. It needs new ones. */
export class CredentialsUnusable extends LoginRefused {
  override readonly name = 'CredentialsUnusable';
}

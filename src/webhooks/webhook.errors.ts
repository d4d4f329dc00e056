import { defineReason, RuleViolated } from '@outreach/http-errors';

const SECRET_UNREADABLE = defineReason(
  'secret_unreadable',
  422,
  'The signing secret of the webhook was encrypted with a key that was removed. Regenerate the secret.',
);

/** The configured keys lack the one that encrypted the secret. The owner must create a new secret. */
export class SecretUnreadable extends RuleViolated {
  constructor() {
    super(SECRET_UNREADABLE, 'The stored secret cannot be decrypted: regenerate it.');
  }
}

import { defineReason, RuleViolated } from '@outreach/http-errors';

const NO_ACCOUNT = defineReason('no_account', 422, 'The email account of the message or of the reply was deleted.');
const INVALID_ADDRESS = defineReason(
  'invalid_address',
  422,
  'The reply does not come from an email address that can be written to.',
);

/** 422: the account that sent the message was deleted, and no other one may send the answer. */
export class NoAccount extends RuleViolated {
  constructor() {
    super(NO_ACCOUNT, 'The email account of this reply was deleted, so that it cannot send the answer.');
  }
}

/** 422: nothing can be sent to the address from which the reply came. */
export class AddressUnusable extends RuleViolated {
  constructor() {
    super(INVALID_ADDRESS, 'The reply does not come from an email address that can be written to.');
  }
}

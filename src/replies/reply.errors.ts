import { RuleViolated } from '../platform/errors/index.js';
import type { RecipientObstacle } from './replies.queries.js';

/** 422: the account that sent the message was deleted, and no other one may send the answer. */
export class NoAccount extends RuleViolated {
  override readonly reason = 'no_account';
  constructor() {
    super('The email account of this reply was deleted, so that it cannot send the answer.');
  }
}

const MESSAGES: Readonly<Record<RecipientObstacle, string>> = {
  unsubscribed: 'The contact has unsubscribed.',
  bounced: 'The address of the contact has bounced.',
  complained: 'The contact has complained about a message.',
  blacklisted: 'The address is blacklisted.',
};

/** 422: the contact or the address must not be written to. */
export class RecipientRefused extends RuleViolated {
  override readonly reason: RecipientObstacle;
  constructor(obstacle: RecipientObstacle) {
    super(MESSAGES[obstacle]);
    this.reason = obstacle;
  }
}

/** 422: nothing can be sent to the address from which the reply came. */
export class AddressUnusable extends RuleViolated {
  override readonly reason = 'invalid_address';
  constructor() {
    super('The reply does not come from an email address that can be written to.');
  }
}

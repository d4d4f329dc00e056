import { RuleViolated, ValidationFailed } from '../platform/errors/index.js';

/** The webhook's host is, or can only be, at an address that is not public. */
export class UrlNotPublic extends ValidationFailed {
  constructor(message: string) {
    super({ url: [message] });
  }
}

/** The key that sealed the secret is gone; only a new secret helps. */
export class SecretUnreadable extends RuleViolated {
  constructor() {
    super('The stored secret can no longer be opened: regenerate it.');
  }
}

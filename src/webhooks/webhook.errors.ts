import { RuleViolated, ValidationFailed } from '../platform/errors/index.js';

/** The host of the URL has no public address. */
export class UrlNotPublic extends ValidationFailed {
  constructor(message: string) {
    super({ url: [message] });
  }
}

/** The configured keys lack the one that encrypted the secret. The owner must create a new secret. */
export class SecretUnreadable extends RuleViolated {
  constructor() {
    super('The stored secret cannot be decrypted: regenerate it.');
  }
}

import { RuleViolated } from '../platform/errors/index.js';

/** The configured keys lack the one that encrypted the secret. The owner must create a new secret. */
export class SecretUnreadable extends RuleViolated {
  constructor() {
    super('The stored secret cannot be decrypted: regenerate it.');
  }
}

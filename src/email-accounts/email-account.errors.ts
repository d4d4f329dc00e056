import { Forbidden, ValidationFailed } from '../platform/errors/index.js';
import { LoginRefused } from './login-failures.js';

/** API v1, "Email account default flag". */
export class LastAccountRequired extends Forbidden {
  constructor() {
    super('The only email account of a workspace cannot be deleted.');
  }
}

export class TypeFixed extends ValidationFailed {
  constructor() {
    super({ type: ['The type of an email account cannot change.'] });
  }
}

export class HostNotPublic extends ValidationFailed {
  constructor() {
    super({ smtp_host: ['The host must be at a public address.'] });
  }
}

/** The account has no credentials, or no configured key can decrypt them. It needs new ones. */
export class CredentialsUnusable extends LoginRefused {
  override readonly name = 'CredentialsUnusable';
}

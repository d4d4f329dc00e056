import { LoginRefused, ProviderUnavailable } from '../login/login-errors.js';

/** The IMAP server refuses the login. The message contains its reply text, without the secret. */
export class ImapLoginRefused extends LoginRefused {
  override readonly name = 'ImapLoginRefused';
}

/**
 * The IMAP server cannot be used now: it is not reachable, not trusted, too slow, refuses a command or replies with
 * something that no server may send. The message says why.
 */
export class ImapUnavailable extends ProviderUnavailable {
  override readonly name = 'ImapUnavailable';
}

import { LoginRefused, ProviderUnavailable } from '../login-failures.js';

/** The mail server refuses user name and password. The message says so in the server's words, without the secret. */
export class SmtpLoginRefused extends LoginRefused {
  override readonly name = 'SmtpLoginRefused';
}

/** No session with the mail server: it was not reached, not trusted, or does not serve us. The message says what failed. */
export class SmtpUnavailable extends ProviderUnavailable {
  override readonly name = 'SmtpUnavailable';
}

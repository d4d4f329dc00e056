import { LoginRefused, ProviderUnavailable } from '../login-failures.js';

/** The mail server refuses user name and password. The message contains its reply text, without the password. */
export class SmtpLoginRefused extends LoginRefused {
  override readonly name = 'SmtpLoginRefused';
}

/** No session could be opened: the server is not reachable, not trusted, or refuses service. The message says why. */
export class SmtpUnavailable extends ProviderUnavailable {
  override readonly name = 'SmtpUnavailable';
}

import type { SendPhase } from './send-result.js';
import { LoginRefused, ProviderUnavailable } from '../login/login-errors.js';

/** The mail server refuses user name and password. The message contains its reply text, without the password. */
export class SmtpLoginRefused extends LoginRefused {
  override readonly name = 'SmtpLoginRefused';
}

/** A refusal of a mail server. */
export interface ServerReply {
  readonly code: number;
  /** The enhanced status code (RFC 3463), e.g. `4.7.0`. */
  readonly enhanced?: string | undefined;
  readonly response: string;
  /** What was refused; undefined if it is not known. */
  readonly phase?: SendPhase | undefined;
}

/** No session could be opened: the server is not reachable, not trusted, or refuses service. The message says why. */
export class SmtpUnavailable extends ProviderUnavailable {
  override readonly name = 'SmtpUnavailable';

  /** The refusal of the server, if that is the reason. */
  readonly reply: ServerReply | undefined;

  constructor(message: string, options: ErrorOptions & { readonly reply?: ServerReply | undefined } = {}) {
    super(message, options);
    this.reply = options.reply;
  }
}

/** The phase of the SMTP transaction at which a message was refused. */
export type SendPhase = 'connection' | 'mail' | 'rcpt' | 'data' | 'message';

/** A refusal, with the reply text of the server, which does not contain the secret of the login. */
export interface Refusal {
  readonly kind: 'refused';
  /** A retry is useless: a 5xx of SMTP, a 4xx of HTTP. */
  readonly permanent: boolean;
  readonly phase: SendPhase;
  /** The status code of SMTP or HTTP. */
  readonly code: number;
  /** The enhanced status code (RFC 3463), e.g. `5.1.1`. */
  readonly enhanced?: string;
  readonly response: string;
}

/** The result of sending a message to a server. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  | Refusal
  /** No reply was received. `uncertain`: the server may have accepted the message; otherwise it has not. */
  | { readonly kind: 'lost'; readonly uncertain: boolean; readonly reason: string }
  /** The caller aborted it before any content was sent. */
  | { readonly kind: 'aborted' };

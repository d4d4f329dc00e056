/** An email in parts, ready for a provider. Header names are spelled as in the RFCs. */
export interface ComposedMail {
  readonly from: { readonly name: string; readonly email: string };
  readonly to: string;
  /** Without angle brackets. */
  readonly message_id: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Further headers, in ASCII. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How far a message had come when it was refused. */
export type SendStage = 'connection' | 'mail' | 'rcpt' | 'data' | 'message';

/** A refusal in the provider's own words, which never hold the account's secret. */
export interface Refusal {
  readonly kind: 'refused';
  /** Trying again is of no use: a 5xx of SMTP, a 4xx of HTTP. */
  readonly permanent: boolean;
  readonly stage: SendStage;
  /** The status code of SMTP or HTTP. */
  readonly code: number;
  /** The enhanced status code (RFC 3463), e.g. `5.1.1`. */
  readonly enhanced?: string;
  readonly response: string;
}

/** What became of a message that was handed to a provider. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  | Refusal
  /** No answer came. `uncertain`: the provider may have taken the message; otherwise it has certainly not. */
  | { readonly kind: 'lost'; readonly uncertain: boolean; readonly reason: string }
  /** The caller called it back before any of its content went out. */
  | { readonly kind: 'aborted' };

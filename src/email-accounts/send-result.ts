/** A composed email in parts, which every provider accepts. Header names are spelled as in the RFCs. */
export interface ComposedMail {
  readonly from: { readonly name: string; readonly email: string };
  readonly to: string;
  /** Without angle brackets. */
  readonly message_id: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The contact whose fields a test shows to another person. */
  readonly shown_contact_id?: number | undefined;
  /** Further headers, in ASCII. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The phase of the SMTP transaction at which a message was refused. */
export type SendPhase = 'connection' | 'mail' | 'rcpt' | 'data' | 'message';

/** A refusal, with the reply text of the provider, which does not contain the secret of the account. */
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

/** The result of sending a message to a provider. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  | Refusal
  /** No reply was received. `uncertain`: the provider may have accepted the message; otherwise it has not. */
  | { readonly kind: 'lost'; readonly uncertain: boolean; readonly reason: string }
  /** The caller aborted it before any content was sent. */
  | { readonly kind: 'aborted' };

/** The phase of the SMTP transaction at which a message was refused. */
export type RefusalPhase = 'connection' | 'mail' | 'rcpt' | 'data' | 'message';

/** What a server says of a message that it does not take: at the door, in a report, or in an event of a provider. */
export interface ServerWords {
  /** The reply, the `Diagnostic-Code` without its type, or the sentences of a notice. May have any length. */
  readonly text: string;
  /** The reply code (RFC 5321), if it is known apart from the text. */
  readonly code?: number | undefined;
  /** The enhanced code (RFC 3463), if it is known apart from the text. */
  readonly enhanced?: string | undefined;
  /** The `Status` of a report (RFC 3464). It counts only if the text decides nothing. */
  readonly status?: string | undefined;
  /** Whether a retry is useless, if that is known apart from the codes. */
  readonly is_permanent?: boolean | undefined;
  /** The command that was refused, if it is known. */
  readonly phase?: RefusalPhase | undefined;
}

/** What a refusal is about. */
export type RefusalCause =
  /** The recipient's mailbox, user or domain does not exist: the only hard bounce. */
  | 'dead_address'
  /** The mailbox has no space now. */
  | 'mailbox_full'
  /** Too many messages or connections, of the account or to the recipient. */
  | 'rate'
  /** The sender: its address, login, client, name or network, relaying, SPF, DKIM, DMARC, block lists. */
  | 'sender'
  /** Policy, content, or who may write to the recipient. */
  | 'policy'
  /** A failure that may end: greylisting, an expired retry, an unreachable server. */
  | 'temporary'
  /** Nothing that is known. */
  | 'unknown';

/** What a refusal means. */
export interface ClassifiedRefusal {
  readonly cause: RefusalCause;
  /** A retry is useless: as it was said, or by the code; true without a code. */
  readonly is_permanent: boolean;
  /** The enhanced code of the reply, or that of the report, or else the reply code; null without any. */
  readonly code: string | null;
  /** The text in one line of at most 500 characters, with the words that have decided. May be empty. */
  readonly reason: string;
}

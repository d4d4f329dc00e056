/** What a received mail is that replies to a message. */
export const RECEIVED_CLASSIFICATIONS = [
  /** A person has written it. */
  'reply',
  /** A mailbox says that its owner is away. */
  'out_of_office',
  /** A machine has written it: a receipt, the confirmation of a ticket, a mailbox that is not read. */
  'automatic',
] as const;
export type ReceivedClassification = (typeof RECEIVED_CLASSIFICATIONS)[number];

/** A mail that replies to a message, as it was received. */
export interface ReceivedReply {
  /**
   * Identifies the mail in its workspace, so that a mail that is read twice is stored once: its `Message-ID` without
   * angle brackets, or `sha256:` and a hash if it has none. At most 800 characters.
   */
  readonly dedup_key: string;
  /** Who wrote it. The address is that of the contact if the mail names none. */
  readonly from: { readonly name: string | null; readonly address: string };
  /** In one line of at most 500 characters; may be empty. */
  readonly subject: string;
  /** The new part alone, without the mails that it quotes; at most 20,000 characters. May be empty. */
  readonly text: string;
  readonly classification: ReceivedClassification;
  /** Whether a machine has written it: true for every classification but `reply`. */
  readonly is_automatic: boolean;
  /** Whether the new text of a person asks for nothing but to be unsubscribed. */
  readonly asks_to_unsubscribe: boolean;
  /**
   * The first day on which the writer is here again, as `YYYY-MM-DD`; null if the mail names none. "Back on the 5th" is
   * the 5th, "until the 5th" the 6th. What is due goes out on the day after it.
   */
  readonly returns_on: string | null;
  readonly received_at: Date;
}

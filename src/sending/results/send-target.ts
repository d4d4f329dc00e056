import type { CountedMessage } from './account-counts.queries.js';

/** A claimed message. */
export interface SendTarget extends CountedMessage {
  readonly id: number;
  readonly campaign_id: number;
  readonly enrollment_id: number;
  readonly contact_id: number;
  /** The address of the contact. */
  readonly email: string;
  /** The address to which an answer to a reply goes; null for the message of a step. */
  readonly to_address: string | null;
  /** The reply that it answers; null for the message of a step. */
  readonly reply_id: number | null;
  /** Null for an answer, and once the step is deleted. */
  readonly step_id: number | null;
  /** Its contact had no value for a required variable when it was claimed. */
  readonly lacks_variable?: boolean;
  /** The account whose gap begins when the message is sent; null without a gap. */
  readonly gap_of: number | null;
}

/** Whether a message goes to the address of its contact. */
export const isToContact = ({ to_address: address, email }: SendTarget): boolean =>
  address === null || address === email;

import type { WaitReason } from '../rules/index.js';
import type { CountedMessage } from './account-counts.queries.js';

export interface SendTarget extends CountedMessage {
  readonly id: number;
  readonly campaign_id: number;
  readonly enrollment_id: number;
  readonly contact_id: number;
  readonly email: string;
  /** The address to which an answer to a reply goes; null for the message of a step. */
  readonly to_address: string | null;
  /** The reply that it answers; null for the message of a step. */
  readonly reply_id: number | null;
  /** Null for an answer, and once the step is deleted. */
  readonly step_id: number | null;
  /** The reasons of the rules of its account that bind it. */
  readonly bound_by: readonly WaitReason[];
}

/** Whether a message goes to the address of its contact. */
export const isToContact = ({ to_address: address, email }: SendTarget): boolean =>
  address === null || address === email;

import { sql } from '../../platform/database/index.js';

export interface UpdatedMessage {
  readonly id: number;
  readonly enrollment_id: number;
  readonly campaign_id: number;
  readonly contact_id: number;
  readonly step_id: number | null;
  readonly email_account_id: number | null;
  /** The reply that it answers; null for the message of a step. */
  readonly reply_id: number | null;
  /** The day on which it counts in the daily limit of the account, as `YYYY-MM-DD`. */
  readonly reserved_on: string | null;
}

export const UPDATED_COLUMNS = sql`message.id, message.enrollment_id, message.campaign_id, message.contact_id, message.step_id,
  message.email_account_id, message.reply_id, message.reserved_on`;

export const idsOf = (messages: readonly UpdatedMessage[]): number[] => messages.map(({ id }) => id);
/** The messages of steps. An answer to a reply changes nothing of its enrollment. */
export const ofSteps = (messages: readonly UpdatedMessage[]): UpdatedMessage[] =>
  messages.filter((message) => message.reply_id === null);
export const enrollmentsOf = (messages: readonly UpdatedMessage[]): number[] =>
  messages.map((message) => message.enrollment_id);

import { is, view } from '@outreach/http-api/responses';

/** The result of a test. */
export interface TestSend {
  readonly success: boolean;
  readonly message: string;
  readonly message_id: string | null;
}

export const testSendView = view('TestSend', {
  /** Whether the mail server has accepted the message. */
  success: is.boolean,
  /** What the mail server said, or what has failed, in a sentence. */
  message: is.string,
  /** The header `Message-ID`, without angle brackets; null if the message was certainly not accepted. */
  message_id: is.nullable(is.string),
});

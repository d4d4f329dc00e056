import type { ChangeSource } from '../../contacts/index.js';
import type { Bounce } from '../sending.events.js';
import type { ReceivedReply } from './received-reply.js';

/** Who reports: a mail, or the provider that has sent the message. */
export type ReportSource = Extract<ChangeSource, 'mail' | 'provider'>;

interface Report {
  /** `mail` if absent. */
  readonly source?: ReportSource;
  /** When it happened; now if absent. */
  readonly occurred_at?: Date | undefined;
}

/** What a provider, a mail server or a recipient reports of a message after it was sent. */
export type MessageReport = Report &
  (
    | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' }
    | {
        readonly kind: 'opened';
        /** Whether a mail program has opened the message ahead of time, so that it does not count. */
        readonly is_machine?: boolean;
      }
    | { readonly kind: 'clicked'; readonly url: string }
    | {
        /** Of a person or of a machine: only a person's ends the enrollment. */
        readonly kind: 'replied';
        readonly reply: ReceivedReply;
      }
    | {
        readonly kind: 'bounced';
        readonly bounce: Bounce;
        /** The address that refused the message, if the report names one. */
        readonly address?: string | undefined;
      }
  );

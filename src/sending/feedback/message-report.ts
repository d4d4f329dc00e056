import type { Bounce } from '../sending.events.js';
import type { ReceivedReply } from './received-reply.js';

interface Dated {
  /** When it happened; now if absent. */
  readonly occurred_at?: Date | undefined;
}

/** What a provider, a mail server or a recipient reports of a message after it was sent. */
export type MessageReport = Dated &
  (
    | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' | 'opened' }
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

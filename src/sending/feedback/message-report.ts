import type { Bounce } from '../sending.events.js';

interface Dated {
  /** When it happened; now if absent. */
  readonly occurred_at?: Date | undefined;
}

/** What a provider, a mail server or a recipient reports of a message after it was sent. */
export type MessageReport = Dated &
  (
    | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' | 'opened' | 'replied' }
    | { readonly kind: 'clicked'; readonly url: string }
    | {
        readonly kind: 'bounced';
        readonly bounce: Bounce;
        /** The address that refused the message, if the report names one. */
        readonly address?: string | undefined;
      }
  );

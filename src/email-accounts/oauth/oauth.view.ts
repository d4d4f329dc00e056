import { is, timestamp, view } from '../../platform/http/responses/index.js';
import type { MailboxAuthorization } from './mailbox-connection.service.js';

export const mailboxAuthorizationView = view(
  'MailboxAuthorization',
  {
    /**
     * Open it in the browser of the mailbox's owner. A page there names the workspace and leads to the provider, from which
     * only this browser can return. It is good once.
     */
    authorization_url: is.string,
    /** Until when the owner must have decided: ten minutes after the request. */
    expires_at: is.timestamp,
  },
  ({ authorization_url, expires_at }: MailboxAuthorization) => ({
    authorization_url,
    expires_at: timestamp(expires_at),
  }),
);

import { is, view } from '@outreach/http-api/responses';

export const mailboxAuthorizationView = view('MailboxAuthorization', {
  /**
   * Open it in the browser of the mailbox's owner. A page there names the workspace and leads to the provider, from which
   * only this browser can return. It is good once.
   */
  authorization_url: is.string,
  /** Until when the owner must have decided: ten minutes after the request. */
  expires_at: is.timestamp,
});

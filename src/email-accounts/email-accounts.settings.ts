import type { ConfigOf } from '@outreach/settings';
import { oauthSettings } from './oauth/oauth.settings.js';
import { sendgridSettings } from './providers/sendgrid/sendgrid.settings.js';

export const emailAccountsSettings = {
  ...sendgridSettings,
  ...oauthSettings,
};

/** The part of the configuration that email accounts declare. */
export type EmailAccountsConfig = ConfigOf<typeof emailAccountsSettings>;

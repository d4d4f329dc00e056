import { type ConfigOf, parseUrl, setting } from '../platform/config/index.js';
import { oauthSettings } from './oauth/oauth.settings.js';

export const emailAccountsSettings = {
  SENDGRID_BASE_URL: setting(
    "SendGrid's API, for EU residency.",
    parseUrl(['http:', 'https:']),
    'https://api.sendgrid.com',
  ),
  ...oauthSettings,
};

/** The part of the configuration that email accounts declare. */
export type EmailAccountsConfig = ConfigOf<typeof emailAccountsSettings>;

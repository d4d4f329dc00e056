import type { MailHosts, MailProvider, OauthMailbox, StoredAccount } from '../provider.js';
import { IS_BUSY } from '../provider-limits.js';
import { BY_OAUTH, oauthMailbox } from '../smtp/by-oauth.js';

interface Config {
  readonly google_mail_hosts: MailHosts;
}

/**
 * Gmail and Google Workspace, connected by OAuth.
 *
 * - [G] Gmail SMTP errors and codes, https://support.google.com/a/answer/3726730
 * - [L] Gmail sending limits, https://support.google.com/a/answer/166852
 */
export const google: MailProvider<OauthMailbox, StoredAccount, Config> = {
  ...BY_OAUTH,
  name: 'Google',
  servers: /(^|\.)(smtp|smtp-relay)\.(gmail|googlemail)\.com\.?$/i,
  domains: ['gmail.com', 'googlemail.com'],
  spf_includes: ['_spf.google.com'],
  dkim_selectors: ['google'],
  limits: [
    // [G] 550 5.7.1 "Email quota exceeded", "Daily SMTP relay limit exceeded for customer".
    { codes: / 5\.7\.1$/, text: /quota exceeded|limit exceeded/i, limit: 'day' },
    // [G] 450 4.2.1 "Peak SMTP relay limit exceeded"; with another text it is the recipient who gets too much mail.
    { codes: / 4\.2\.1$/, text: /limit exceeded/i, limit: 'rate' },
    // [G] 421 4.3.0, 4.4.5, 4.7.0, 4.7.28; 454 4.7.0 "Too many login attempts".
    IS_BUSY,
  ],
  stores_sent_mail: true,
  oauth: {
    parameters: {
      scope: 'openid email profile https://mail.google.com/',
      access_type: 'offline',
      prompt: 'select_account consent',
    },
    address_claims: ['email'],
  },
  credentials: (account, { config }) => oauthMailbox(account, config.google_mail_hosts, 'ssl'),
};

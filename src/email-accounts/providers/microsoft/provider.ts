import type { MailHosts, MailProvider, OauthMailbox, StoredAccount } from '../provider.js';
import { IS_BUSY } from '../provider-limits.js';
import { BY_OAUTH, oauthMailbox } from '../smtp/by-oauth.js';

interface Config {
  readonly microsoft_mail_hosts: MailHosts;
}

/**
 * Microsoft 365 and Outlook, connected by OAuth.
 *
 * - [S] Throttling of SMTP submission, https://learn.microsoft.com/exchange/troubleshoot/send-emails/smtp-submission-improvements
 * - [N] Non-delivery reports in Exchange Online,
 *   https://learn.microsoft.com/troubleshoot/exchange/email-delivery/ndr/non-delivery-reports-in-exchange-online
 * - [T] Continuous errors,
 *   https://learn.microsoft.com/exchange/mail-flow-best-practices/continuous-error-throttling-smtp-auth-submissions
 */
export const microsoft: MailProvider<OauthMailbox, StoredAccount, Config> = {
  ...BY_OAUTH,
  name: 'Microsoft',
  servers: /(^|\.)(smtp\.office365|smtp-mail\.outlook)\.com\.?$/i,
  domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
  spf_includes: ['spf.protection.outlook.com'],
  dkim_selectors: ['selector1', 'selector2'],
  limits: [
    // [S] 554 5.2.0 "STOREDRV.Submission.Exception:SubmissionQuotaExceededException", 10,000 recipients a day.
    { codes: / 5\.2\.[02]$/, text: /submission ?quota|sender.s submission quota/i, limit: 'day' },
    // [N] 550 5.1.90 "you've reached your daily limit for message recipients"; 5.7.232, 5.7.233: those of the tenant.
    { codes: / 5\.(1\.90|7\.23[23])$/, limit: 'day' },
    // [T] 550 5.2.251 to 5.2.255 "Sender throttled due to continuous … errors".
    { codes: / 5\.2\.25[1-5]$/, limit: 'day' },
    // [S] 432 4.3.2 "Concurrent connections limit exceeded", "sender thread limit exceeded".
    { codes: /^(432|4\d\d 4\.3\.2$)/, limit: 'rate' },
    // [N] 4.7.500 to 4.7.699 "Server busy".
    IS_BUSY,
  ],
  // Exchange Online refuses the fourth connection to a mailbox (432 4.3.2). One is left for the people who use it, or for a
  // message whose server has not replied yet.
  max_connections: 2,
  oauth: {
    // It takes one value of `prompt` only (AADSTS90023), and asks for consent where there is none.
    parameters: {
      scope:
        'openid email profile offline_access https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All',
      prompt: 'select_account',
    },
    address_claims: ['email', 'preferred_username'],
    // Its issuer is a template in which `{tenantid}` stands for the tenant of the account. `openid-client` fills it in for this
    // URL only, so another one, such as that of a national cloud, takes its place.
    discovered_issuer: 'https://login.microsoftonline.com/common/v2.0',
  },
  credentials: (account, { config }) => oauthMailbox(account, config.microsoft_mail_hosts, 'tls'),
};

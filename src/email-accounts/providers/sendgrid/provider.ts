import { MAX_CONNECTIONS, type MailProvider } from '../provider.js';

/** SendGrid's API, with an API key. */
export const sendgrid: MailProvider = {
  name: 'SendGrid',
  servers: /(^|\.)smtp\.(eu\.)?sendgrid\.net\.?$/i,
  domains: [],
  spf_includes: ['sendgrid.net'],
  dkim_selectors: ['s1', 's2'],
  signs: true,
  // Too Many Requests (RFC 6585). No server of SMTP has this code.
  limits: [{ codes: /^429 /, limit: 'rate' }],
  max_connections: MAX_CONNECTIONS,
  stores_sent_mail: false,
  reports_by_events: true,
  oauth: null,
};

import { MAX_CONNECTIONS, type MailProvider } from '../provider.js';

/** Any mail server, with a user name and a password. */
export const smtp: MailProvider = {
  name: 'SMTP',
  domains: [],
  spf_includes: [],
  dkim_selectors: [],
  signs: false,
  limits: [],
  max_connections: MAX_CONNECTIONS,
  stores_sent_mail: false,
  reports_by_events: false,
  oauth: null,
};

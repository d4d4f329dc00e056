import { sendThroughSendgrid, verifySendgridKey } from '@outreach/sendgrid';
import type { MailboxCredentials, MailProvider, StoredAccount } from '../provider.js';
import { sendgridEvents, sendgridForm } from './events.js';
import { sendgridInputs } from './inputs.js';
import type { SendgridConfig } from './sendgrid.settings.js';

interface SendgridCredentials extends MailboxCredentials {
  readonly api_key: string;
}

interface StoredKey extends StoredAccount {
  readonly sendgrid_api_key_encrypted: string | null;
}

/** SendGrid's API, with an API key. */
export const sendgrid: MailProvider<SendgridCredentials, StoredKey, SendgridConfig> = {
  name: 'SendGrid',
  servers: /(^|\.)smtp\.(eu\.)?sendgrid\.net\.?$/i,
  domains: [],
  spf_includes: ['sendgrid.net'],
  dkim_selectors: ['s1', 's2'],
  signs: true,
  // Too Many Requests (RFC 6585). No server of SMTP has this code.
  limits: [{ codes: /^429 /, limit: 'rate' }],
  max_connections: 5,
  stores_sent_mail: false,
  events: sendgridEvents,
  received_form: sendgridForm,
  oauth: null,
  inputs: sendgridInputs,
  login: ['sendgrid_api_key'],
  secrets: [
    { input: 'sendgrid_api_key', context: 'sendgrid_api_key_sealed', meaning: 'SendGrid API keys of email accounts' },
  ],

  credentials: ({ sendgrid_api_key_encrypted: encrypted }, vault) => ({
    api_key: vault.decrypt('sendgrid_api_key_encrypted', encrypted),
  }),

  /** HTTP has no session; Node reuses the connections. */
  async open({ api_key }, { config }) {
    const api = { base_url: config.sendgrid_base_url, api_key };
    return {
      isOpen: true,
      hasSession: false,
      send: async ({ mail, mayContinue }) =>
        (await mayContinue()) ? sendThroughSendgrid(api, mail) : { kind: 'aborted' },
      close: () => undefined,
    };
  },

  async logIn({ api_key }, { config }) {
    await verifySendgridKey({ base_url: config.sendgrid_base_url, api_key });
    return 'SendGrid accepted the API key.';
  },
};

// A mail provider that an extension module adds: all that the service knows of it.
import { createPublicKey, verify } from 'node:crypto';
import { LoginRefused, NullableTextField, ProviderUnavailable, TextField } from 'outreach/extension';

/** The token is a secret; its stamp is the public key that verifies its events. */
function inputs(base) {
  class PigeonInputs extends base {}
  TextField(20)(PigeonInputs.prototype, 'pigeon_token');
  NullableTextField(200)(PigeonInputs.prototype, 'pigeon_stamp');
  return PigeonInputs;
}

async function call(path, body) {
  const response = await fetch(`${process.env.LOFT_URL}${path}`, { method: 'POST', body: JSON.stringify(body) }).catch(
    (cause) => {
      throw new ProviderUnavailable('The loft is closed', { cause });
    },
  );
  if (response.status === 401) throw new LoginRefused('Pigeon Post does not know the token');
  return { code: response.status, text: await response.text() };
}

const REPORTS = {
  home: { kind: 'delivered' },
  hawk: {
    kind: 'bounced',
    address: '',
    failure: { text: '550 5.1.1 User unknown', status: '5.1.1', fallback: 'hawk' },
  },
};
const FLIGHTS = { delivered: 'home', bounced: 'hawk' };

/** @type {import('outreach/extension').ProviderEvents} */
const events = {
  name: 'flight reports',
  key: 'pigeon_stamp',
  isSignedBy: (keys, { headers, body }) => {
    const signature = Buffer.from(String(headers['x-pigeon-stamp']), 'base64');
    const publicKey = (key) => createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return Promise.resolve(keys.some((key) => verify(null, body, publicKey(key), signature)));
  },
  read: (event) => {
    const report = REPORTS[event?.flight];
    return report && { ...report, message_id: String(event.letter), occurred_at: Number(event.at) };
  },
  simulate: (kind, { message_id: letter }, at) => ({ flight: FLIGHTS[kind], letter, at }),
};

/** @type {import('outreach/extension').MailProvider} */
export const pigeon = {
  name: 'Pigeon Post',
  servers: /^smtp\.pigeon\.example$/,
  domains: ['pigeon.example'],
  spf_includes: ['_spf.pigeon.example'],
  dkim_selectors: ['coo'],
  signs: true,
  limits: [{ codes: /^503 /, text: /tired/, limit: 'day' }],
  max_connections: 1,
  stores_sent_mail: false,
  oauth: null,
  events,
  received_form: null,
  inputs,
  login: ['pigeon_token'],
  secrets: [{ input: 'pigeon_token', context: 'pigeon_token', meaning: 'Tokens of Pigeon Post' }],

  credentials: ({ pigeon_token_encrypted: encrypted }, vault) => ({
    token: vault.decrypt('pigeon_token_encrypted', encrypted),
  }),

  open: ({ token }) =>
    Promise.resolve({
      isOpen: true,
      hasSession: false,
      send: async ({ mail, mayContinue }) => {
        if (!(await mayContinue())) return { kind: 'aborted' };
        const { code, text } = await call('/letters', { token, to: mail.to, letter: mail.message_id });
        if (code === 202) return { kind: 'accepted', response: text };
        return { kind: 'refused', permanent: code < 500, phase: 'message', code, response: `${code} ${text}` };
      },
      close: () => undefined,
    }),

  logIn: async ({ token }) => {
    await call('/tokens', { token });
    return 'The pigeon is at home.';
  },
};

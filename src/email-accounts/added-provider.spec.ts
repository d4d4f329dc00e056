import { Keyring } from '../platform/crypto/index.js';
import { NEVER_LOGGED } from '../platform/logging/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { Credentials, type EncryptedAccount } from './credentials.js';
import { dkimErrors } from './dkim/index.js';
import { domainSubject } from './domain/domain-subject.js';
import type { ComposedMail } from './send-result.js';
import { SmtpSessions } from './smtp-sessions.js';
import { limitOf } from './providers/provider-limits.js';
import type { MailboxCredentials, MailProvider, StoredAccount } from './providers/provider.js';
import type { EmailAccountType } from './providers/provider-names.js';
import { PROVIDERS, serverOf } from './providers/providers.js';

interface PigeonCredentials extends MailboxCredentials {
  readonly ring: string;
}

interface StoredPigeon extends StoredAccount {
  readonly pigeon_ring_encrypted: string;
}

/** What a folder `providers/pigeon` would have. */
const pigeon: MailProvider<PigeonCredentials, StoredPigeon, { readonly lofts: string[] }> = {
  name: 'Pigeon Post',
  servers: /^smtp\.pigeon\.example$/,
  domains: ['pigeon.example'],
  spf_includes: ['_spf.pigeon.example'],
  dkim_selectors: ['coo'],
  signs: true,
  limits: [{ codes: /^503 /, text: /tired/, limit: 'day' }],
  max_connections: 1,
  stores_sent_mail: false,
  events: null,
  received_form: null,
  oauth: null,
  inputs: null,
  login: ['pigeon_ring'],
  secrets: [{ input: 'pigeon_ring', context: 'pigeon_ring', meaning: 'Rings of pigeons' }],
  credentials: ({ pigeon_ring_encrypted: encrypted }, vault) => ({
    type: PIGEON,
    ring: vault.decrypt('pigeon_ring_encrypted', encrypted),
  }),
  open: ({ ring }, { config }) =>
    Promise.resolve({
      isOpen: true,
      hasSession: false,
      send: ({ mail }) => {
        config.lofts.push(`${ring} to ${mail.to}`);
        const refusal = { permanent: false, phase: 'message', code: 503, response: 'The pigeon is tired' } as const;
        return Promise.resolve({ kind: 'refused', ...refusal });
      },
      close: () => undefined,
    }),
  logIn: ({ ring }) => Promise.resolve(`The pigeon with the ring ${ring} is at home.`),
};

/** The line in the list: a type of accounts, which the compiler would know there. */
const PIGEON = 'pigeon' as EmailAccountType;

const database = { forWorkspace: () => database, refreshClock: () => undefined };
const scope = await WorkspaceScope.open(7, database as never);
const lofts: string[] = [];
const credentials = new Credentials(new Keyring(['a key that only tests use']), { lofts });
const sessions = new SmtpSessions({} as never, {} as never, { public_url: '', lofts } as never);

describe('a provider that is added to the list', () => {
  beforeAll(() => Object.assign(PROVIDERS, { [PIGEON]: pigeon }));
  afterAll(() => Reflect.deleteProperty(PROVIDERS, PIGEON));

  const account = (): EncryptedAccount => {
    const encrypted = credentials.encrypt(scope, { pigeon_ring: 'GB-17' });
    return { id: 1, type: PIGEON, smtp_host: null, dkim_domain: null, ...encrypted } as never;
  };

  it('has its secret encrypted for its workspace and column, and only its sender reads it', () => {
    expect(JSON.stringify(account())).not.toContain('GB-17');
    expect(credentials.decrypt(scope, account())).toEqual({ type: PIGEON, ring: 'GB-17' });
  });

  it('logs in, and sends a message, whose refusal is classified by its own rules', async () => {
    const opened = credentials.decrypt(scope, account());
    expect(await sessions.logIn(scope, opened)).toBe('The pigeon with the ring GB-17 is at home.');
    const session = await sessions.connect(scope, opened);
    const result = await session.send({
      mail: { to: 'anna@example.com' } as ComposedMail,
      encode: () => Promise.resolve(Buffer.alloc(0)),
      mayContinue: () => Promise.resolve(true),
      nextPart: () => Promise.resolve(),
      isRepeated: false,
    });
    expect(lofts).toEqual(['GB-17 to anna@example.com']);
    expect(result.kind === 'refused' && limitOf(serverOf(account()), result)).toBe('day');
  });

  it('is found by its server, has its own records in DNS, and signs itself', () => {
    const byName = { ...account(), type: 'smtp', smtp_host: 'smtp.pigeon.example' } as const;
    expect(serverOf(byName)).toBe(pigeon);
    const subject = domainSubject({
      ...{ ...account(), from_email: 'anna@a.example' },
      ...{ dkim_selector: null, dkim_private_key_encrypted: null },
    });
    expect(subject).toMatchObject({ includes: ['_spf.pigeon.example'], dkim_names: ['coo._domainkey.a.example'] });
    expect(dkimErrors({ provider: pigeon, dkim_domain: null }, { dkim_selector: 's' })).toEqual({
      dkim_selector: ['Pigeon Post signs the messages of its accounts itself.'],
    });
  });
});

describe('the secrets of all providers', () => {
  it('are never logged', () => {
    const inputs = Object.values(PROVIDERS).flatMap(({ secrets }) => secrets.map(({ input }) => input));
    expect(NEVER_LOGGED).toEqual(expect.arrayContaining(inputs));
  });
});

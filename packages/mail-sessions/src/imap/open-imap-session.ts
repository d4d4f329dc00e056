import { isIP, type LookupFunction } from 'node:net';
import { ImapFlow } from 'imapflow';
import {
  AddressRefused,
  CIPHERS,
  type EgressPolicy,
  HostUnresolvable,
  normalizeHost,
  resolvePublicHost,
} from '@outreach/egress';
import { replySanitizer } from '../login/reply-text.js';
import { ImapDialogue } from './imap-dialogue.js';
import { ImapUnavailable } from './imap-errors.js';
import { imapFailure } from './imap-failure.js';
import { OpenImapSession, type ImapSession } from './imap-session.js';
import { type ImapSettings, secretOf } from './imap-settings.js';

const OPENING_TIMEOUT_MS = 10_000;
const COMMAND_TIMEOUT_MS = 30_000;

/** A line without a literal. The longest that is asked for is the result of a search for 1,000 messages. */
const MAX_LINE_BYTES = 16_384;
/** The longest part of a message that is asked for is shorter. */
const MAX_LITERAL_BYTES = 1_048_576;

/** Which addresses may be reached, and to which a password may be sent without a trusted certificate. */
export type ImapPolicy = Pick<EgressPolicy, 'allows' | 'isInConfiguredRange'>;

/** Which addresses a session may reach, and its timeouts. */
export interface ImapOptions {
  /** Which addresses may be reached. */
  readonly policy: ImapPolicy;
  /** Milliseconds until the login is complete; 10,000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds for each command after that; 30,000 by default. */
  readonly commandTimeoutMs?: number;
  /** The name with which the client introduces itself (RFC 2971); that of the library by default. */
  readonly clientName?: string;
  /** PEM of the only trusted authority, instead of those of Node and of `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string;
}

/**
 * Connects to an IMAP server, encrypts and logs in. `ssl` is TLS from the start, with a
 * trusted certificate; `tls` is STARTTLS, which must be offered and whose certificate must be trusted. To addresses in
 * configured ranges of the policy alone, `tls` uses STARTTLS if it is offered, with any certificate. The name is resolved once,
 * and only addresses that were checked are used.
 * @throws ImapLoginRefused if the server refuses the login
 * @throws ImapUnavailable for every other reason
 */
export async function openImapSession(settings: ImapSettings, options: ImapOptions): Promise<ImapSession> {
  const { timeoutMs = OPENING_TIMEOUT_MS, commandTimeoutMs = COMMAND_TIMEOUT_MS } = options;
  const deadline = performance.now() + timeoutMs;
  const addresses = await addressesOf(settings, options);
  const client = new ImapFlow(clientOptions(settings, options, addresses));
  const replyText = replySanitizer({ username: settings.username, password: secretOf(settings.login) });
  const dialogue = new ImapDialogue(client, (error, limit) =>
    imapFailure(error, { settings, replyText, limit, capabilities: client.capabilities }),
  );
  try {
    await dialogue.step(() => client.connect(), deadline - performance.now());
  } catch (error) {
    dialogue.close();
    throw error;
  }
  return new OpenImapSession(client, dialogue, commandTimeoutMs);
}

async function addressesOf(
  { host }: ImapSettings,
  { policy, timeoutMs = OPENING_TIMEOUT_MS }: ImapOptions,
): Promise<readonly string[]> {
  try {
    return await resolvePublicHost(host, policy, { timeoutMs });
  } catch (error) {
    const isKnown = error instanceof AddressRefused || error instanceof HostUnresolvable;
    throw isKnown ? new ImapUnavailable(error.message, { cause: error }) : error;
  }
}

function clientOptions(settings: ImapSettings, options: ImapOptions, addresses: readonly string[]) {
  const host = normalizeHost(settings.host) ?? settings.host;
  const { timeoutMs = OPENING_TIMEOUT_MS, commandTimeoutMs = COMMAND_TIMEOUT_MS, policy, clientName, ca } = options;
  const isOpportunistic =
    settings.encryption === 'tls' && addresses.every((address) => policy.isInConfiguredRange(address));
  return {
    // The name that the certificate must match.
    host,
    port: settings.port,
    secure: settings.encryption === 'ssl',
    ...(settings.encryption === 'tls' && !isOpportunistic ? { doSTARTTLS: true } : {}),
    tls: {
      ciphers: CIPHERS,
      rejectUnauthorized: !isOpportunistic,
      ...(isIP(host) ? {} : { lookup: pinned(addresses) }),
      ...(ca === undefined ? {} : { ca }),
    },
    auth: authOf(settings),
    ...(clientName === undefined ? {} : { clientInfo: { name: clientName } }),
    // Whatever is logged could contain mail.
    logger: false as const,
    disableAutoIdle: true,
    disableAutoEnable: true,
    // A few compressed bytes could become many.
    disableCompression: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    // Every step has a deadline of its own; this is longer than each.
    socketTimeout: 2 * (timeoutMs + commandTimeoutMs),
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: MAX_LITERAL_BYTES + MAX_LINE_BYTES,
  };
}

const authOf = ({ username, login }: ImapSettings) =>
  login.type === 'password'
    ? { user: username, pass: login.password }
    : { user: username, accessToken: login.access_token };

/** A lookup that returns the addresses that were checked, so DNS rebinding has no effect. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, done) => {
    const entries = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = entries;
    if (options.all === true || !first) done(null, entries);
    else done(null, first.address, first.family);
  };

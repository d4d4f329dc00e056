import { parseCidrs, parseDurations, parseInteger, parseKeys, parseOneOf, parseText, parseUrl } from './parsers.js';

export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One environment variable: how it is read, what holds without it, and the sentence that documents it. */
export interface Setting<T> {
  readonly parse: (text: string) => T;
  /** The value without the variable, or how it follows from the others. */
  readonly fallback: T;
  /** The default as people read it; the fallback itself where absent. */
  readonly shown?: string;
  readonly meaning: string;
}

const setting = <T>(meaning: string, parse: (text: string) => T, fallback: T, shown?: string): Setting<T> => ({
  meaning,
  parse,
  fallback,
  ...(shown === undefined ? {} : { shown }),
});

/** Every setting of the service, in the order in which the documentation lists them. */
export const SETTINGS = {
  PORT: setting('Port on which the API listens.', parseInteger(1, 65_535), 3000),
  HOST: setting('Address on which the API listens; the container image sets `0.0.0.0`.', parseText, '127.0.0.1'),
  PUBLIC_URL: setting(
    'Address that recipients and API clients reach: tracking, unsubscribe and pagination links start with it.',
    parseUrl(['http:', 'https:']),
    undefined,
    'http://localhost:{PORT}',
  ),
  DATABASE_URL: setting(
    'PostgreSQL 14 or newer. Without it an embedded PostgreSQL runs under `DATA_DIR`.',
    parseUrl(['postgres:', 'postgresql:']),
    undefined,
    '',
  ),
  REDIS_URL: setting(
    'Redis 6.2 or newer for queues and quota counters. Without it both live in PostgreSQL.',
    parseUrl(['redis:', 'rediss:']),
    undefined,
    '',
  ),
  DATA_DIR: setting('Directory of the embedded database and of generated keys.', parseText, './data'),
  ROLE: setting<Role>('Which half this process runs: `api`, `worker` or `all`.', parseOneOf(ROLES), 'all'),
  ENCRYPTION_KEY: setting(
    'Encrypts stored credentials and secrets. Several comma-separated keys allow rotation: the first one encrypts. ' +
      'Required with `DATABASE_URL`, generated into `DATA_DIR` otherwise.',
    parseKeys,
    undefined,
    '',
  ),
  EGRESS_ALLOWED_CIDRS: setting(
    'Private networks that outbound connections (SMTP hosts, webhooks) may reach all the same, e.g. `127.0.0.0/8`.',
    parseCidrs,
    [] as readonly string[],
    '',
  ),
  RATE_LIMIT_PER_MINUTE: setting('Requests per minute and API token.', parseInteger(1, 1_000_000_000), 600),
  WEBHOOK_RETRY_SCHEDULE: setting(
    'Seconds before each retry of a webhook delivery; `none` turns retries off.',
    parseDurations,
    [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as readonly number[],
  ),
  WEBHOOK_PROBE_SCHEDULE: setting(
    'Seconds between the attempts to a failing webhook, by its failure count; `none` turns the pauses off.',
    parseDurations,
    [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400] as readonly number[],
  ),
  SENDGRID_BASE_URL: setting(
    "SendGrid's API, for EU residency.",
    parseUrl(['http:', 'https:']),
    'https://api.sendgrid.com',
  ),
  LOG_LEVEL: setting<LogLevel>(`How much is logged: ${LOG_LEVELS.join(', ')}.`, parseOneOf(LOG_LEVELS), 'info'),
  TRUST_PROXY: setting(
    'Comma-separated addresses or networks of the proxies whose `X-Forwarded-*` is believed.',
    parseCidrs,
    [] as readonly string[],
    '',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;

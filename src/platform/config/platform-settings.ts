import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '@outreach/logging';
import {
  parseCidrs,
  parseDatabaseUrl,
  parseInteger,
  parseItems,
  parseKeys,
  parseNameServers,
  parseOneOf,
  parseText,
  parsePublicUrl,
  parseRedisUrl,
  secret,
  setting,
} from '@outreach/settings';

const ROLES = ['all', 'api', 'worker'] as const;
/** What a process runs: the API, the worker or both. */
export type Role = (typeof ROLES)[number];

/** The settings of the platform, which every process needs. */
export const platformSettings = {
  PORT: setting('Port on which the API listens.', parseInteger(1, 65_535), 3000),
  HOST: setting('Address on which the API listens; the container image sets `0.0.0.0`.', parseText, '127.0.0.1'),
  METRICS_PORT: setting<number | undefined>(
    'Port of `HOST` with `/metrics` and `/health/*` alone, in every role; `ROLE=worker` has no other port. The port of the API ' +
      'has then neither `/metrics` nor `/health/ready`. The container image sets 9464.',
    parseInteger(1, 65_535),
    undefined,
    '',
  ),
  PUBLIC_URL: setting(
    'Address that recipients and API clients reach: tracking, unsubscribe and pagination links start with it. No user name, ' +
      'password, query or fragment.',
    parsePublicUrl,
    '',
    'http://localhost:{PORT}',
  ),
  DATABASE_URL: secret(
    setting<string | undefined>(
      'PostgreSQL 14 or newer; several hosts, separated by commas, for failover (docs/deployment.md). Without it an embedded ' +
        'PostgreSQL runs under `DATA_DIR`.',
      parseDatabaseUrl,
      undefined,
      '',
    ),
  ),
  QUEUE_DATABASE_URL: secret(
    setting<string | undefined>(
      'The same database without a connection pooler in transaction mode, for the queues and for what needs a session. ' +
        'Required if `DATABASE_URL` leads to such a pooler, except for `ROLE=api` with `REDIS_URL`.',
      parseDatabaseUrl,
      undefined,
      '`DATABASE_URL`',
    ),
  ),
  REDIS_URL: secret(
    setting<string | undefined>(
      'Redis 6.2 or newer for queues and quota counters: one server (`redis://`), the primary that Sentinels know ' +
        '(`redis+sentinel://`) or a cluster (`redis+cluster://`); with TLS `rediss` (docs/deployment.md). Without it both use ' +
        'PostgreSQL.',
      parseRedisUrl,
      undefined,
      '',
    ),
  ),
  DATA_DIR: setting('Directory of the embedded database and of generated keys.', parseText, './data'),
  ROLE: setting<Role>('What this process runs: `api`, `worker` or `all`.', parseOneOf(ROLES), 'all'),
  OUTREACH_MODULES: setting(
    'Comma-separated extension modules to load: files, relative to the working directory, or packages (docs/extending.md).',
    parseItems,
    [],
    '',
  ),
  ENCRYPTION_KEY: secret(
    setting<readonly string[] | undefined>(
      'Encrypts stored credentials and secrets. Several comma-separated keys allow rotation: the first one encrypts. ' +
        'Required with `DATABASE_URL`, generated into `DATA_DIR` otherwise.',
      parseKeys,
      undefined,
      '',
    ),
  ),
  EGRESS_ALLOWED_CIDRS: setting(
    'Private networks that outbound connections (SMTP hosts, webhooks) are allowed to reach, e.g. `127.0.0.0/8`. Mail servers ' +
      'in them get passwords also without TLS, or with any certificate, by SMTP on the ports 25 and 2525 and by IMAP with `tls`.',
    parseCidrs,
    [],
    '',
  ),
  DNS_SERVERS: setting(
    'Comma-separated name servers (`address[:port]`, IPv6 in brackets) for the checks of sender domains and of tracking ' +
      'domains, if not those of the operating system.',
    parseNameServers,
    [],
    '',
  ),
  RATE_LIMIT_PER_MINUTE: setting(
    'Requests per minute and API token, or key of `/inbound`; all tokens of a workspace together, and all its inbound ' +
      'keys, have ten times as much.',
    parseInteger(1, 1_000_000_000),
    600,
  ),
  STATEMENT_TIMEOUT_SECONDS: setting(
    'How long one SQL statement of a request may run; it waits for a lock for half of this time at most.',
    parseInteger(1, 3600),
    10,
  ),
  SHUTDOWN_DELAY_SECONDS: setting(
    'How long the API still serves requests after SIGTERM, while `/health/ready` is 503. With a load balancer in front, set it ' +
      'for `ROLE=api`, as docker/compose.yaml and the Helm chart do.',
    parseInteger(0, 600),
    0,
  ),
  LOG_LEVEL: setting<LogLevel>(`Log level: ${LOG_LEVELS.join(', ')}.`, parseOneOf(LOG_LEVELS), 'info'),
  LOG_FORMAT: setting<LogFormat>(
    'Form of the log: `json` (one object a line), `pretty` (for people), or `auto`: `pretty` in a terminal, `json` elsewhere.',
    parseOneOf(LOG_FORMATS),
    'auto',
  ),
  TRUST_PROXY: setting(
    'Comma-separated addresses or networks of the proxies whose `X-Forwarded-*` headers are trusted.',
    parseCidrs,
    [],
    '',
  ),
};

import { type Check, failure, ok, warning, type CheckOutcome } from '@outreach/command-line';
import type { DataSource } from 'typeorm';
import { wallClock } from '../../platform/clock/index.js';
import { sql } from '../../platform/database/index.js';
import { missingMigrations } from '../apply-migrations.js';
import { absentExtensions } from '../extensions/extension-migrations.js';
import { limitedDatabase } from './limited-database.js';

const MIN_VERSION = 140_000;
const EXTENSIONS = ['pg_trgm'];
const MAX_SKEW_SECONDS = 30;
const SOME_SKEW_SECONDS = 2;
const MANY_CONNECTIONS = 0.9;

interface ServerFacts {
  readonly name: string;
  readonly version: string;
  readonly version_number: number;
  readonly encoding: string;
  readonly ctype: string;
  readonly is_standby: boolean;
  readonly connections: number;
  readonly max_connections: number;
}

/** Version, encoding, connections and role of the server. */
export const checkServer = (source: DataSource): Check => ({
  name: 'database',
  advice: 'Check DATABASE_URL and the server.',
  run: async () => {
    const [server] = await limitedDatabase(source).query<ServerFacts>(
      sql`SELECT current_database() AS name, current_setting('server_version') AS version,
                 current_setting('server_version_num')::int AS version_number,
                 current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_standby,
                 (SELECT datctype FROM pg_database WHERE datname = current_database()) AS ctype,
                 (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections,
                 current_setting('max_connections')::int AS max_connections`,
    );
    return server ? describeServer(server) : [];
  },
});

function describeServer(server: ServerFacts): CheckOutcome[] {
  const { version, connections, max_connections: max } = server;
  return [
    server.version_number >= MIN_VERSION
      ? ok(`PostgreSQL ${version}, database ${server.name}`)
      : failure(`PostgreSQL ${version} is too old`, 'Use PostgreSQL 14 or newer.'),
    ...(server.is_standby ? [failure('the server is a standby', 'Let DATABASE_URL lead to the primary.')] : []),
    connections < max * MANY_CONNECTIONS
      ? ok(`${connections} of ${max} connections are in use`)
      : warning(`${connections} of ${max} connections are in use`, 'Raise max_connections of PostgreSQL.'),
    describeLocale(server),
  ];
}

function describeLocale({ encoding, ctype }: ServerFacts): CheckOutcome {
  if (encoding !== 'UTF8') return failure(`the encoding is ${encoding}`, 'Create the database with ENCODING UTF8.');
  if (ctype !== 'C' && ctype !== 'POSIX') return ok(`encoding ${encoding}, character classes ${ctype}`);
  const advice = 'Create the database with LC_CTYPE "C.UTF-8": searches for other than English letters are slow.';
  return warning(`encoding ${encoding}, character classes ${ctype}`, advice);
}

/** Extensions and migrations. */
export const checkSchema = (source: DataSource): Check => ({
  name: 'schema',
  advice: 'Check that the account of DATABASE_URL may read the database.',
  run: async () => {
    const missing = await missingMigrations(source);
    const absent = (await absentExtensions(source)).map(describeAbsent);
    return [await extensions(source), describeMigrations(missing, source.migrations.length), ...absent];
  },
});

async function extensions(source: DataSource): Promise<CheckOutcome> {
  const rows = await limitedDatabase(source).query<{ name: string; installed_version: string | null }>(
    sql`SELECT name, installed_version FROM pg_available_extensions WHERE name = ANY(${EXTENSIONS})`,
  );
  const absent = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
  if (absent.length > 0) {
    return failure(
      `the server lacks the extension ${absent.join(', ')}`,
      'Install the contrib package of PostgreSQL there.',
    );
  }
  const unused = rows.filter((row) => row.installed_version === null).map(({ name }) => name);
  if (unused.length === 0) return ok(`extensions ${EXTENSIONS.join(', ')}`);
  return warning(`the database lacks the extension ${unused.join(', ')}`, 'Run "outreach migrate", which creates it.');
}

function describeMigrations(missing: readonly string[], all: number): CheckOutcome {
  if (missing.length === 0) return ok('all migrations of this version are applied');
  const what = missing.length === all ? 'no migration is applied' : `${missing.length} migrations are missing`;
  return failure(what, 'Run "outreach migrate", or start the service of this version.');
}

function describeAbsent(name: string): CheckOutcome {
  return warning(
    `the database has tables of the extension module ${name}, which is not loaded`,
    `Add the module to OUTREACH_MODULES, or drop its tables ${name}_… if their rows are not needed.`,
  );
}

/** The clock of this machine and that of the database. */
export const checkClock = (source: DataSource): Check => ({
  name: 'clock',
  advice: 'Check the database.',
  run: async () => {
    const before = wallClock.now().getTime();
    const [row] = await limitedDatabase(source).query<{ now: Date }>(sql`SELECT ${sql.realNow} AS now`);
    const after = wallClock.now().getTime();
    // Between these two moments the database has read its clock.
    const late = (row?.now.getTime() ?? after) - after;
    const early = before - (row?.now.getTime() ?? before);
    const skew = Math.max(late, early, 0) / 1000;
    const message = skew < 1 ? 'agrees with that of the database' : `differs by ${skew.toFixed(1)} s from the database`;
    const advice = 'Synchronise the clocks of both machines (NTP): schedules, limits and tokens go by them.';
    if (skew > MAX_SKEW_SECONDS) return [failure(message, advice)];
    return [skew > SOME_SKEW_SECONDS ? warning(message, advice) : ok(message)];
  },
});

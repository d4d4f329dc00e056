// The suites of tests: what each is about, what it needs, and how long it takes on two idle cores of the usual kind.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ON_CITUS } from './citus-specs.mjs';
import { citusPostgres, startTemporaryCitus } from './temporary-citus.mjs';
import { debianPostgres, startTemporaryPostgres } from './temporary-postgres.mjs';
import { startRedis, startRedisCluster } from './temporary-redis.mjs';

/** What depends on where the queues and the quotas are stored. */
const ON_REDIS = [
  'test/platform/job-queue.spec.ts',
  'test/contract/quota.spec.ts',
  'test/journeys/sending.spec.ts',
  'test/slow/workers.spec.ts',
  'test/journeys/webhooks.spec.ts',
  'test/slow/webhook-outages.spec.ts',
  'test/contract/erasure.spec.ts',
];

/** What depends on keys that lie in several slots. */
const ON_REDIS_CLUSTER = [
  'test/platform/job-queue.spec.ts',
  'test/contract/quota.spec.ts',
  'test/journeys/sending.spec.ts',
];

/** Programs that a suite may require: how to ask each whether it is there, and Debian's package of it. */
const PROGRAMS = {
  'redis-server': [['--version'], 'redis-server'],
  pgbouncer: [['--version'], 'pgbouncer'],
  dovecot: [['--version'], 'dovecot-imapd'],
  nginx: [['-v'], 'nginx-light'],
  caddy: [['version'], 'caddy'],
  'systemd-analyze': [['--version'], 'systemd'],
  python3: [['--version'], 'python3'],
  php: [['--version'], 'php-cli'],
  go: [['version'], 'golang-go'],
  openssl: [['version'], 'openssl'],
  curl: [['--version'], 'curl'],
  unshare: [['--version'], 'util-linux'],
  buildah: [['--version'], 'buildah'],
  mmdebstrap: [['--version'], 'mmdebstrap'],
  helm: [['version'], undefined],
};

/**
 * @typedef {object} Suite
 * @property {string} about what it tests, as the end of a sentence
 * @property {number} minutes on two idle cores of the usual kind
 * @property {string[]} files the folders and files of its specs
 * @property {number} [processes] how many of Jest's processes run at the same time
 * @property {string} [config] Jest's configuration, if it is not that of the others
 * @property {boolean} [isSource] it needs no build
 * @property {(keyof typeof PROGRAMS | 'postgresql' | 'chromium' | 'citus')[]} [requires]
 * @property {() => Promise<{ env: Record<string, string>, stop?: () => Promise<void> | void }>} [prepare]
 */

/** @type {Record<string, Suite>} */
export const SUITES = {
  unit: {
    about: 'the code in packages and src without a database',
    minutes: 1,
    files: ['packages', 'src'],
    config: 'test/unit/jest.config.js',
    isSource: true,
  },
  slow: {
    about: 'long journeys, many processes, and plans at a million rows',
    minutes: 6,
    files: ['test/slow'],
    // Each file starts processes of its own.
    processes: 2,
  },
  abuse: {
    about: 'attacks on the API: random requests, every permission, bodies, connections, memory',
    minutes: 2,
    files: ['test/abuse'],
    processes: 2,
  },
  costs: {
    about:
      'row versions, WAL and commits per message, also of several workers, and what a flood of requests costs others; nothing may run beside it',
    minutes: 3,
    files: ['test/costs'],
    processes: 1,
    // The transactions of autovacuum count like those of the service.
    prepare: async () => ({ env: { TEST_AUTOVACUUM: 'off' } }),
  },
  outages: {
    about: 'crashes of PostgreSQL and Redis, killed workers, stops and restarts',
    minutes: 4,
    files: ['test/outages'],
    processes: 2,
    // unshare makes the namespaces of a container, which only root may do.
    requires: ['redis-server', 'postgresql', 'unshare'],
  },
  redis: {
    about: 'queues and quotas on Redis',
    minutes: 2,
    files: ON_REDIS,
    processes: 2,
    requires: ['redis-server'],
    prepare: async () => {
      const { port, stop } = await startRedis();
      return { env: { TEST_REDIS_URL: `redis://127.0.0.1:${port}` }, stop };
    },
  },
  'redis-cluster': {
    about: 'queues and quotas on a Redis Cluster of three nodes',
    minutes: 1,
    files: ON_REDIS_CLUSTER,
    // The test files share its only database.
    processes: 1,
    requires: ['redis-server'],
    prepare: async () => {
      const { url, stop } = await startRedisCluster();
      return { env: { TEST_REDIS_URL: url }, stop };
    },
  },
  distributed: {
    about: 'PostgreSQL distributed over two nodes by Citus',
    minutes: 25,
    files: ['test/distributed', ...ON_CITUS],
    processes: 2,
    requires: ['citus'],
    prepare: async () => {
      const { urls, stop } = await startTemporaryCitus(citusPostgres());
      return { env: { TEST_DATABASE_URL: urls[0], TEST_NODE_URLS: urls.join(' ') }, stop };
    },
  },
  pgbouncer: {
    about: 'PgBouncer in front of PostgreSQL',
    minutes: 1,
    files: ['test/pgbouncer'],
    requires: ['pgbouncer'],
  },
  mailboxes: {
    about: 'mailboxes of Dovecot, read by IMAP',
    minutes: 2,
    files: ['test/mailboxes'],
    requires: ['dovecot'],
    // Where Debian installs it, which is on the PATH of root only.
    prepare: async () => ({ env: { PATH: `${process.env.PATH}:/usr/sbin` } }),
  },
  pages: {
    about: 'the HTML pages in a browser',
    minutes: 2,
    files: ['test/pages'],
    processes: 2,
    requires: ['chromium'],
    prepare: async () => ({ env: { CHROMIUM_PATH: chromium() } }),
  },
  deployment: {
    about: 'compose, the Helm chart, examples of proxies and systemd, backups, TLS, and the files of the image',
    minutes: 2,
    files: ['test/deployment'],
    requires: ['nginx', 'caddy', 'systemd-analyze', 'openssl', 'postgresql', 'redis-server', 'helm'],
    prepare: async () => {
      const { env, stop } = await onDebianPostgres();
      return { env: { ...env, PATH: `${debianPostgres()}:${process.env.PATH}` }, stop };
    },
  },
  package: {
    about: 'the package that npm installs, in an empty directory: its size, licenses, types and commands',
    minutes: 2,
    files: ['test/package'],
  },
  image: {
    about: 'the image: builds the Dockerfile on a base of Debian packages, and runs it',
    minutes: 4,
    files: ['test/image'],
    // A process that builds has the rights of root, and reaches the registries of Debian and npm.
    requires: ['buildah', 'mmdebstrap', 'postgresql'],
    prepare: onDebianPostgres,
  },
  examples: {
    about: 'the end-to-end suite of examples/ci, as its workflow runs it',
    minutes: 1,
    files: ['test/examples'],
    requires: ['openssl', 'curl', 'postgresql'],
    prepare: onDebianPostgres,
  },
  snippets: {
    about: 'the code of examples/webhooks in all languages, with a real delivery',
    minutes: 1,
    files: ['test/journeys/webhook-signatures.spec.ts'],
    requires: ['python3', 'php', 'go'],
    prepare: async () => ({ env: { TEST_SNIPPETS: 'node,python,php,go' } }),
  },
  clients: {
    about: 'client libraries that are generated from docs/openapi.json',
    minutes: 1,
    files: ['test/clients'],
    prepare: async () => {
      const { generateClients } = await import('../test/clients/generate-clients.mjs');
      const folder = mkdtempSync(join(tmpdir(), 'outreach-clients-'));
      await generateClients(folder);
      return { env: { TEST_CLIENTS: folder }, stop: () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
  'typescript-client': {
    about: 'the package clients/typescript: build, types, README, and calls to a running service',
    minutes: 1,
    files: ['test/typescript-client'],
    prepare: async () => {
      const { buildTypescriptClient } = await import('../test/typescript-client/build-client.mjs');
      return { env: { TYPESCRIPT_CLIENT: buildTypescriptClient() } };
    },
  },
};

/** The suite of the README: all specs that are in no folder of another suite. @type {Suite} */
const DEFAULT = { about: 'the service on an embedded PostgreSQL', minutes: 4, files: ['packages', 'src', 'test'] };

/** Suites that run specs of others once more, in other surroundings. */
const REPEATING = ['unit', 'redis', 'redis-cluster', 'snippets'];

/** The folders that are not part of the README's command. */
export const OTHER_FOLDERS = Object.entries(SUITES)
  .filter(([name]) => !REPEATING.includes(name))
  .flatMap(([, { files }]) => files)
  .filter((path) => !path.endsWith('.spec.ts'));

/** @param {string} [name] @returns {Suite | undefined} the suite of the README without a name */
export const suiteOf = (name) => (name === undefined ? DEFAULT : SUITES[name]);

/** @param {string} path of a spec @returns {string | undefined} the name of the suite that it is part of */
export const suiteNameOf = (path) =>
  Object.keys(SUITES).find(
    (name) => !REPEATING.includes(name) && SUITES[name].files.some((folder) => path.startsWith(`${folder}/`)),
  );

/** @param {Suite} suite @returns {string | undefined} what is missing on this machine, and the command that installs it */
export function missingPrograms({ requires = [] }) {
  const missing = requires.filter((name) => !isInstalled(name));
  if (missing.length === 0) return undefined;
  if (missing.includes('citus')) return CITUS_MISSING;
  if (missing.includes('helm')) return HELM_MISSING;
  const packages = missing.map((name) => PROGRAMS[name]?.[1] ?? name);
  return `${missing.join(', ')}: apt-get install ${packages.join(' ')}`;
}

const CITUS_MISSING =
  'the extension Citus for the newest PostgreSQL in /usr/lib/postgresql: its packages are at https://docs.citusdata.com';

const HELM_MISSING = 'helm, which is no package of Debian: https://helm.sh/docs/intro/install';

function isInstalled(name) {
  if (name === 'postgresql') return debianPostgres() !== undefined;
  if (name === 'citus') return citusPostgres() !== undefined;
  if (name === 'chromium') return !spawnSync(chromium(), ['--version']).error;
  return !spawnSync(name, PROGRAMS[name][0], { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } }).error;
}

const chromium = () => process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

async function onDebianPostgres() {
  const { url, stop } = await startTemporaryPostgres(debianPostgres());
  return { env: { TEST_DATABASE_URL: url }, stop };
}

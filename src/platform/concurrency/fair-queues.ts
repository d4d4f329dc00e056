import type { FairQueueLimits, LineLimit } from '@outreach/concurrency';
import { Busy } from '../errors/index.js';

const UNLIMITED = Number.POSITIVE_INFINITY;
/** How many requests of a workspace wait for the network of other hosts at the same time, for each kind of waiting. */
const NETWORK_WAIT = { concurrency: UNLIMITED, perKey: 5 };
/** How many downloads of a workspace may be open. */
const MAX_FILES_PER_WORKSPACE = 3;

/** So many tasks of a key wait. Those that would be more are refused. */
const upTo = (perKey: number): LineLimit => ({ perKey, error: () => new Busy() });

/** The fair queues of a process, and their sizes. The keys are workspaces, except where a comment says something else. */
export const FAIR_QUEUES = {
  /** Searches share the processors of PostgreSQL. One workspace runs three of them. */
  searches: { concurrency: 4 },
  /** Some requests wait for other things than the database, such as the end of a statement of another one. */
  requests: (poolSize: number) => ({ concurrency: 4 * poolSize, waiting: upTo(200) }),
  lookupRequests: { ...NETWORK_WAIT, waiting: upTo(200) },
  /** A test of a connection can take ten seconds, so more would wait for longer than their clients do. */
  connectionRequests: { ...NETWORK_WAIT, waiting: upTo(20) },
  /** Files that are received, waiting or in work, so that they do not fill the disk. */
  uploads: { concurrency: UNLIMITED, perKey: 6, waiting: upTo(0) },
  /** Each download has a batch or two in memory. */
  downloads: { concurrency: 60, perKey: MAX_FILES_PER_WORKSPACE, waiting: upTo(0) },
  /** A file of one snapshot occupies a connection: all of them at most a quarter of the connections of the process. */
  snapshotDownloads: (poolSize: number) => {
    const concurrency = Math.max(1, Math.floor(poolSize / 4));
    return { concurrency, perKey: Math.min(MAX_FILES_PER_WORKSPACE, Math.max(1, concurrency - 1)) };
  },
  /** Messages, or the first two milliseconds of them. */
  composing: { concurrency: 1 },
  /** Threads. More wait than the mailboxes (200) and reports (8) that a process reads at the same time. */
  mailParsing: { concurrency: 2, perKey: 1, waiting: upTo(250) },
  /** A task waits for name servers alone: a place of its own costs nothing. */
  nameServerTasks: { concurrency: UNLIMITED, perKey: 4, waiting: upTo(100) },
  /** Imports of a workspace wait for each other in this process first, so that only one of them polls for a place. */
  imports: { concurrency: UNLIMITED, perKey: 1 },
  /** Statements about segments. Fewer wait than the running requests of a workspace, so that its other requests do not. */
  segmentStatements: { concurrency: 4, waiting: upTo(16) },
  /** Callbacks of people who connect a mailbox: they wait for a provider. */
  codeExchanges: { concurrency: UNLIMITED, perKey: 5, waiting: upTo(20) },
  grantRevocations: { concurrency: 16, perKey: 4, waiting: upTo(1_000) },
  /** Reports that are received. Each has at most a megabyte in memory. */
  inboundReports: { concurrency: UNLIMITED, perKey: 8, waiting: upTo(50) },
  /** Callbacks whose events are recorded before the response. */
  immediateCallbacks: { concurrency: 4, perKey: 1 },
  /** Each workspace that is drained needs a connection to the database. */
  callbackDrains: { concurrency: 3 },
  /** Mailboxes that are searched. Most of the time a search waits for their servers. */
  sentMailSearches: { concurrency: 50 },
  /** Messages that wait for slow servers. */
  slowSends: { concurrency: 2_000 },
  /** Keys are email accounts. */
  slowSendsOfAccounts: { concurrency: UNLIMITED, perKey: 5 },
} as const satisfies Readonly<Record<string, FairQueueLimits | ((size: number) => FairQueueLimits)>>;

import { Cluster, type ClusterOptions, Command, type Redis } from 'ioredis';
import { adviceAbout, wordsOf } from './redis-advice.js';
import { firstWordsOf } from './first-words.js';
import { describeHost, parseRedisAddress, type RedisAddress } from './redis-address.js';
import { openRedis } from './redis-client.js';
import { isWriteRefused } from './redis-options.js';

const MIN_VERSION = [6, 2] as const;
const CONNECT_TIMEOUT_MS = 10_000;

/** For how long the key of a check stays. */
const WRITTEN_MS = 10_000;

/** The slots of a cluster, over which its keys are spread. */
const SLOTS = 16_384;

/** A cluster that does not respond, or has no node for a key, is asked once. */
const ONCE: ClusterOptions = { retryDelayOnClusterDown: 0, retryDelayOnFailover: 0 };

/** What a server says about itself. */
export interface RedisInfo {
  /** Host and port of the server that responded. */
  readonly address: string;
  readonly version: string;
  /** What it does when its memory is full. */
  readonly eviction_policy: string;
  readonly is_replica: boolean;
}

/** Checks the Redis server of a service. */
export class RedisCheck {
  /**
   * @param setting the name of the setting with the URL, for messages
   * @param writtenKey the key that a check writes, which an account of Redis with few rights must be able to write
   */
  constructor(
    private readonly setting: string,
    private readonly writtenKey: string,
  ) {}

  /**
   * Writes to Redis, because a replica and one whose memory or disk is full still respond to what only reads. In a cluster, to
   * each primary.
   * @throws Error, with a line for the operator, if Redis does not accept writes, is older than 6.2, or is not of the kind
   *   that the URL says
   */
  async assertAvailable(url: string, timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
    await this.connected(url, timeoutMs, async (redis) => {
      const servers = primariesOf(redis, this.setting).map(async (server) =>
        assertSuitable(await server.info('server'), this.setting, redis instanceof Cluster),
      );
      await Promise.all(servers);
      await Promise.all(this.keysFor(redis).map((key) => redis.set(key, '1', 'PX', WRITTEN_MS)));
    });
  }

  /** Writes nothing. @returns the server, or the primaries of a cluster. @throws Error like {@link assertAvailable} */
  info(url: string, timeoutMs: number): Promise<readonly RedisInfo[]> {
    return this.connected(url, timeoutMs, (redis) =>
      Promise.all(
        primariesOf(redis, this.setting).map((server) => infoOf(server, this.setting, redis instanceof Cluster)),
      ),
    );
  }

  /** @returns a key of each primary */
  private keysFor(redis: Redis | Cluster): string[] {
    if (!(redis instanceof Cluster)) return [this.writtenKey];
    const keys = new Map<string | undefined, string>();
    for (let n = 0; n < SLOTS && keys.size < redis.nodes('master').length; n++) {
      const key = `${this.writtenKey}:${n}`;
      keys.set(redis.slots[new Command('GET', [key]).getSlot()]?.[0], key);
    }
    return [...keys.values()];
  }

  private async connected<R>(url: string, timeoutMs: number, work: (redis: Redis | Cluster) => Promise<R>): Promise<R> {
    const options = { lazyConnect: true, retryStrategy: () => null, connectTimeout: timeoutMs };
    const redis = openRedis(url, options, ONCE);
    let connectionError: Error | undefined;
    let hostError: Error | undefined;
    let isConnected = false;
    // The client itself only rejects with "connection is closed".
    redis.on('error', (error: Error) => (connectionError ??= error));
    const noteHost = (error: Error): void => {
      // One of several hosts may be absent: what another one says counts.
      if (!hostError || !CLOSED.test(error.message)) hostError = error;
    };
    redis.on('sentinelError', noteHost).on('node error', noteHost);
    try {
      await redis.connect();
      isConnected = true;
      return await work(redis);
    } catch (error) {
      const reasons = [connectionError, isConnected ? undefined : hostError, error];
      const reason = reasons.find((each) => each instanceof Error && !UNSPECIFIC.test(each.message));
      throw this.explained((await refusalOf(url, reason)) ?? reason ?? hostError ?? error, url);
    } finally {
      redis.disconnect();
    }
  }

  /** @returns an error with a line for the operator */
  private explained(error: unknown, url: string): unknown {
    if (!(error instanceof Error)) return error;
    const advice = adviceAbout(error);
    if (advice) return new Error(`it says ${JSON.stringify(wordsOf(error))}; ${advice}`, { cause: error });
    const known = EXPLANATIONS[parseRedisAddress(url).kind].find(([message]) => message.test(error.message));
    const explanation = isWriteRefused(error)
      ? `leads to a server that accepts no writes: ${error.message}`
      : known?.[1];
    return explanation ? new Error(`${this.setting} ${explanation}`, { cause: error }) : error;
  }
}

/** What ioredis says about a host without a connection. */
const CLOSED = /Connection is closed/;

/** @returns the words of a server that closes connections at once. @param reason if it is known */
async function refusalOf(url: string, reason: unknown): Promise<Error | undefined> {
  if (reason !== undefined || parseRedisAddress(url).kind !== 'server') return undefined;
  const words = await firstWordsOf(url);
  return words === '' ? undefined : new Error(words);
}

/** What it says if the reason is in another error. */
const UNSPECIFIC =
  /Connection is closed|Failed to refresh slots cache|None of startup nodes|All sentinels are unreachable/;

/** What errors say about several hosts that do not respond, or are not of the kind that the URL says. */
const EXPLANATIONS: Readonly<Record<RedisAddress['kind'], readonly (readonly [RegExp, string])[]>> = {
  server: [],
  cluster: [
    [CLOSED, 'leads to a cluster with nodes that cannot be reached'],
    [/cluster support disabled/, 'leads to one Redis server, not to a cluster: write redis://host:port'],
  ],
  sentinel: [
    [CLOSED, 'leads to Sentinels that cannot be reached'],
    [/unknown command/, 'leads to a server that is no Sentinel: write redis://host:port'],
    [/No such master|invalid reply/, 'has a name that its Sentinels do not know: write that of "sentinel monitor"'],
  ],
};

/** @returns the server, or the primaries of a cluster. @throws Error if a cluster has keys that no node is responsible for */
function primariesOf(redis: Redis | Cluster, setting: string): Redis[] {
  if (!(redis instanceof Cluster)) return [redis];
  const served = redis.slots.filter(({ length }) => length > 0).length;
  if (served === SLOTS) return redis.nodes('master');
  throw new Error(
    `${setting} leads to a cluster that serves ${served} of ${SLOTS} slots: assign the others to its nodes`,
  );
}

async function infoOf(redis: Redis, setting: string, isCluster: boolean): Promise<RedisInfo> {
  const server = await redis.info('server');
  assertSuitable(server, setting, isCluster);
  const [, version = ''] = /^redis_version:(\S+)/m.exec(server) ?? [];
  // Unlike CONFIG GET, hosted services allow INFO.
  const [, policy = 'unknown'] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? [];
  const is_replica = /^role:slave/m.test(await redis.info('replication'));
  return { address: addressOf(redis), version, eviction_policy: policy, is_replica };
}

/** Where a server is; that of a Sentinel is known when it is connected. */
function addressOf({ options, stream }: Redis): string {
  const { remoteAddress, remotePort } = stream;
  const { host = '', port = 0 } = options.sentinels ? { host: remoteAddress, port: remotePort } : options;
  return describeHost({ host, port });
}

const WAYS_OUT = {
  sentinel: 'leads to a Sentinel: write redis+sentinel://host:port/name',
  cluster: 'leads to a Redis Cluster: write redis+cluster://host:port',
} as const;

function assertSuitable(info: string, setting: string, isCluster: boolean): void {
  // Valkey calls it `server_mode`.
  const mode = /^(?:redis|server)_mode:(sentinel|cluster)/m.exec(info)?.[1];
  if (mode === 'sentinel' || (mode === 'cluster' && !isCluster)) throw new Error(`${setting} ${WAYS_OUT[mode]}`);
  const [, version = '', major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
  const isOld = Number(major) < MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) < MIN_VERSION[1]);
  if (isOld) throw new Error(`Redis ${MIN_VERSION.join('.')} or newer is required, but ${setting} leads to ${version}`);
}

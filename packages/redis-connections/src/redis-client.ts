import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { type ClusterAddress, parseRedisAddress, type SentinelAddress } from './redis-address.js';

/** For how long a node may not say which one has which keys, until another one is asked. */
const SLOTS_TIMEOUT_MS = 5_000;

/**
 * Opens what a URL leads to: a server, the primary that Sentinels know, or a cluster.
 * @param clusterOptions what a cluster has in addition
 */
export function openRedis(url: string, options: RedisOptions, clusterOptions: ClusterOptions = {}): Redis | Cluster {
  const address = parseRedisAddress(url);
  switch (address.kind) {
    case 'server':
      return new Redis(address.url, options);
    case 'sentinel':
      return new Redis({ ...options, ...sentinelOptions(address, options) });
    case 'cluster':
      return openCluster(address, options, clusterOptions);
    default:
      return address satisfies never;
  }
}

/** Without a strategy of their own, all Sentinels are asked again at once. */
const sentinelOptions = (
  { hosts, name, database, login, sentinelLogin, isEncrypted }: SentinelAddress,
  { retryStrategy }: RedisOptions,
): RedisOptions => ({
  sentinels: [...hosts],
  name,
  db: database,
  ...login,
  sentinelUsername: sentinelLogin.username,
  sentinelPassword: sentinelLogin.password,
  sentinelRetryStrategy: retryStrategy ?? undefined,
  ...(isEncrypted && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
});

/**
 * A node that is lost is not opened again: another one says who has its keys now. Commands are not collected in pipelines, which
 * would be an option of the cluster itself: ioredis does not follow a key that has moved if others of its pipeline have not.
 */
function openCluster(
  { hosts, login, isEncrypted }: ClusterAddress,
  { lazyConnect, enableOfflineQueue, retryStrategy, ...node }: RedisOptions,
  clusterOptions: ClusterOptions,
): Cluster {
  return new Cluster([...hosts], {
    lazyConnect,
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    // After a check that fails, `connect` of ioredis never ends, and so does the worker of BullMQ that waits for it.
    enableReadyCheck: false,
    // A name stays one: the certificate is valid for it.
    dnsLookup: (name, found) => found(null, name),
    ...clusterOptions,
    redisOptions: { ...node, ...login, ...(isEncrypted && { tls: {} }) },
  });
}

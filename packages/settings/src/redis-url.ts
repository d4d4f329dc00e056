import { InvalidSetting, parseUrl } from './parsers.js';

const parseSingle = parseUrl(['redis:', 'rediss:']);

/** Schemes such as `redis+sentinel:` and `redis-cluster:`, several hosts, and parameters such as `?sentinels=`. */
const SENTINEL_OR_CLUSTER =
  /^[a-z+-]*(?:sentinel|cluster)[a-z+-]*:|^rediss?:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&](?:sentinel|cluster)\w*=/i;
const PATH = /^\/?\d*$/;

/**
 * The URL of one Redis server: `redis://user:password@host:port/database`, or `rediss://` with TLS.
 * @throws InvalidSetting, also for URLs of a Sentinel or a cluster
 */
export function parseRedisUrl(text: string): string {
  if (SENTINEL_OR_CLUSTER.test(text)) {
    throw new InvalidSetting(
      'must lead to one Redis server: Sentinel and Redis Cluster are not supported; use the address of the primary, ' +
        'such as that of a proxy or a DNS name that follows it',
    );
  }
  const url = parseSingle(text);
  if (PATH.test(new URL(url).pathname)) return url;
  throw new InvalidSetting('must have a number of a database after the host, or nothing: redis://host:6379/0');
}

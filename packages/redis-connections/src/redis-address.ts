import { isIP } from 'node:net';

/** Scheme, login up to the last `@`, hosts, path and query. */
const SEVERAL_HOSTS =
  /^(?<scheme>rediss?)\+(?<kind>cluster|sentinel):\/\/(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/i;
const HOST_AND_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<name>[^:[\]]+)):(?<port>\d{1,5})$/;
const NAME_AND_DATABASE = /^\/(?<name>[^/]+)(?:\/(?<database>\d+))?$/;

/** Other spellings of a Sentinel or a cluster, which would lead to one server: several hosts, or parameters. */
const OTHER_SPELLING = /^rediss?:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&](?:sentinel|cluster)\w*=/i;

/** A text is no URL of Redis. The message continues a sentence that begins with its name. */
export class WrongRedisAddress extends Error {}

/** Who logs in; empty without a password. */
export interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
}

/** A Sentinel, or a node of a cluster. */
export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

interface SeveralHosts {
  readonly hosts: readonly RedisHost[];
  readonly login: RedisLogin;
  readonly isEncrypted: boolean;
}

/** A Redis whose nodes share the keys. The hosts are some of its nodes, which know the others. */
export interface ClusterAddress extends SeveralHosts {
  readonly kind: 'cluster';
}

/** The primary that Sentinels know by a name. The hosts are the Sentinels, of which some may be absent. */
export interface SentinelAddress extends SeveralHosts {
  readonly kind: 'sentinel';
  readonly name: string;
  readonly database: number;
  /** The login of the Sentinels themselves. */
  readonly sentinelLogin: RedisLogin;
}

/** Where Redis is. */
export type RedisAddress =
  { readonly kind: 'server'; readonly host: string; readonly url: string } | SentinelAddress | ClusterAddress;

/**
 * Takes a URL apart: `redis://user:password@host:6379/0`, `redis+sentinel://user:password@one:26379,two:26379/name/0` or
 * `redis+cluster://user:password@one:6379,two:6379`; with TLS `rediss`.
 * @throws WrongRedisAddress if it is none of them
 */
export function parseRedisAddress(text: string): RedisAddress {
  const url = text.replace(/\/+$/, '');
  const parts = SEVERAL_HOSTS.exec(url)?.groups;
  if (!parts) return parseServer(url);
  const { scheme = '', kind = '', login = '', hosts = '', path = '', query = '' } = parts;
  const several: SeveralHosts = {
    hosts: hosts.split(',').map(parseHost),
    login: parseLogin(login),
    isEncrypted: scheme.toLowerCase() === 'rediss',
  };
  return kind.toLowerCase() === 'cluster' ? parseCluster(several, path, query) : parseSentinel(several, path, query);
}

/** @returns what a URL leads to, for people: `Redis at one:6379`, `the Redis Cluster at one:6379,two:6379` */
export function describeRedis(url: string): string {
  const address = parseRedisAddress(url);
  switch (address.kind) {
    case 'server':
      return `Redis at ${address.host}`;
    case 'sentinel':
      return `the primary ${address.name} of the Sentinels at ${describeHosts(address)}`;
    case 'cluster':
      return `the Redis Cluster at ${describeHosts(address)}`;
    default:
      return address satisfies never;
  }
}

const describeHosts = ({ hosts }: SeveralHosts): string => hosts.map(describeHost).join();

/** @returns `host:port` */
export const describeHost = ({ host, port }: RedisHost): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

function parseServer(url: string): RedisAddress {
  const isUrl = /^rediss?:\/\//i.test(url) && !OTHER_SPELLING.test(url) && URL.canParse(url);
  const { host, pathname } = isUrl ? new URL(url) : { host: '', pathname: '' };
  if (!host) {
    throw new WrongRedisAddress(
      'must be redis://host:6379, redis+sentinel://host:26379,host:26379/name or redis+cluster://host:6379,host:6379, ' +
        'or the same with rediss for TLS',
    );
  }
  if (/^\/?\d*$/.test(pathname)) return { kind: 'server', host, url };
  throw new WrongRedisAddress('must have a number of a database after the host, or nothing: redis://host:6379/0');
}

function parseCluster(several: SeveralHosts, path: string, query: string): ClusterAddress {
  if (path !== '') {
    throw new WrongRedisAddress('must end after the last port: a cluster has the database 0 alone, and no name');
  }
  if (query !== '') throw new WrongRedisAddress('must have no parameters after redis+cluster://host:6379,host:6379');
  return { kind: 'cluster', ...several };
}

function parseSentinel(several: SeveralHosts, path: string, query: string): SentinelAddress {
  const { name, database = '0' } = NAME_AND_DATABASE.exec(path)?.groups ?? {};
  if (!name) {
    throw new WrongRedisAddress(
      'must end with the name of the primary that the Sentinels know, and the number of a database, if it is not 0: ' +
        'redis+sentinel://host:26379,host:26379/name',
    );
  }
  const { sentinel_username: username, sentinel_password: password, ...others } = parametersOf(query);
  if (Object.keys(others).length > 0) {
    throw new WrongRedisAddress('may have the parameters sentinel_username and sentinel_password, and no others');
  }
  const sentinelLogin = loginOf(username, password);
  return { kind: 'sentinel', ...several, name: decoded(name), database: Number(database), sentinelLogin };
}

/** A `+` is not a space there. */
const parametersOf = (query: string): Partial<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')));

function parseHost(text: string): RedisHost {
  const { ipv6, name = '', port } = HOST_AND_PORT.exec(text)?.groups ?? {};
  const host = { host: ipv6 ?? name, port: Number(port) };
  const isHost = (ipv6 === undefined || isIP(ipv6) === 6) && URL.canParse(`redis://${describeHost(host)}`);
  if (isHost && host.port >= 1 && host.port <= 65_535) return host;
  throw new WrongRedisAddress(
    'must have a host and a port for each node, such as one:6379,two:6379 ([::1]:6379 for IPv6); special characters of ' +
      'user and password are percent-encoded, such as %2F for /',
  );
}

function parseLogin(text: string): RedisLogin {
  const colon = text.indexOf(':');
  if (text !== '' && colon === -1) throw new WrongRedisAddress('must have a password after the user: user:password@');
  return loginOf(decoded(text.slice(0, Math.max(colon, 0))), decoded(text.slice(colon + 1)));
}

const loginOf = (username?: string, password?: string): RedisLogin => ({
  ...(username && { username }),
  ...(password && { password }),
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new WrongRedisAddress('has a % that must be written %25', { cause: error });
  }
}

import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { FairQueue, RecentResult } from '@outreach/concurrency';
import { isLocalName } from './private-names.js';

/** Keys are names. Lookups take two of the four threads that Node has for the file system, compression and hashes. */
const SYSTEM_LOOKUPS = { concurrency: 2, perKey: 1 };

const HOSTS_FILE = '/etc/hosts';
const HOSTS_MAX_AGE_MS = 5_000;

/** The first timeout of a query; the second one is twice as long. */
const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;

/**
 * Resolves a normalised host name to all its addresses, the preferred one first. The signal is aborted when the result is
 * not needed any more.
 */
export type HostResolver = (name: string, signal?: AbortSignal) => Promise<readonly string[]>;

/** Where names are looked up; the settings of the operating system by default. */
export interface SystemResolverOptions {
  /** Name servers, as `address:port`. */
  readonly servers?: readonly string[];
  /** The path of a hosts file. */
  readonly hostsFile?: string;
}

/**
 * Returns a resolver for the names that users enter. It looks in the hosts file first, then in DNS, with Node's own
 * client: a query that waits for a silent name server occupies no thread, unlike `dns.lookup`, so any number of them
 * delays neither other lookups nor the file system. Names of the operator's own network ({@link isLocalName}) are left
 * to the operating system, because only it knows search domains and multicast DNS. IPv4 addresses come first.
 */
export function createSystemResolver({ servers, hostsFile = HOSTS_FILE }: SystemResolverOptions = {}): HostResolver {
  const hosts = new RecentResult(() => readHosts(hostsFile), HOSTS_MAX_AGE_MS);
  const threads = new FairQueue<string>(SYSTEM_LOOKUPS);
  return async (name, signal) => {
    if (isLocalName(name)) return threads.run(name, () => lookupAddresses(name), signal);
    return (await hosts.get()).get(name) ?? queryDns(name, servers, signal);
  };
}

async function lookupAddresses(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

/** A resolver for each lookup: its queries can be cancelled, and it uses the present settings of the system. */
async function queryDns(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  signal?.throwIfAborted();
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal?.removeEventListener('abort', cancel);
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  const [failed] = families.flatMap((family) => (family.status === 'rejected' ? [family.reason as Error] : []));
  if (addresses.length === 0 && failed) throw failed;
  return addresses;
}

/** Returns the addresses of each name, in lower case. A file that cannot be read has none. */
async function readHosts(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address) for (const name of names) addTo(addresses, name.toLowerCase(), address);
  }
  return addresses;
}

function addTo(addresses: Map<string, string[]>, name: string, address: string): void {
  const known = addresses.get(name);
  if (known) known.push(address);
  else addresses.set(name, [address]);
}

import { Resolver } from 'node:dns/promises';
import type { DnsQueries, DnsResult } from './dns-queries.js';

/** The first timeout of a query; the second one is twice as long. */
const QUERY_TIMEOUT_MS = 1_000;
const QUERY_TRIES = 2;
/** What has not been answered after this time is unavailable. */
const TOTAL_TIMEOUT_MS = 5_000;
/** How many queries one task makes at most. Further ones are unavailable. */
const MAX_QUERIES = 60;
/** A name with more records than these is not that of a domain that is used for mail. */
const MAX_RECORDS = 100;

/** Codes with which a name server says that there is no such record. A name that is no name has none either. */
const NONE = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);

/**
 * Runs a task with at most 60 queries within five seconds. What is asked twice is queried once.
 * @param servers name servers as `address:port`; those of the operating system by default
 */
export async function askNameServers<R>(
  task: (dns: DnsQueries) => Promise<R>,
  servers?: readonly string[],
): Promise<R> {
  const session = new DnsSession(servers);
  try {
    return await task(session);
  } finally {
    session.close();
  }
}

/** The queries of one task. Each is made once. */
class DnsSession implements DnsQueries {
  private readonly resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  private readonly results = new Map<string, Promise<DnsResult<never>>>();
  private readonly timer = setTimeout(() => this.close(), TOTAL_TIMEOUT_MS).unref();
  private isClosed = false;

  constructor(servers: readonly string[] | undefined) {
    if (servers) this.resolver.setServers(servers);
  }

  txt(name: string) {
    return this.ask(`TXT ${name}`, async () => (await this.resolver.resolveTxt(name)).map((parts) => parts.join('')));
  }

  mx(name: string) {
    return this.ask(`MX ${name}`, async () =>
      (await this.resolver.resolveMx(name)).sort((one, other) => one.priority - other.priority),
    );
  }

  async addresses(name: string): Promise<DnsResult<string>> {
    const families = await Promise.all([
      this.ask(`A ${name}`, () => this.resolver.resolve4(name)),
      this.ask(`AAAA ${name}`, () => this.resolver.resolve6(name)),
    ]);
    const records = families.flatMap((family) => (family.kind === 'found' ? family.records : []));
    if (records.length > 0) return { kind: 'found', records };
    return families.some(({ kind }) => kind === 'unavailable') ? { kind: 'unavailable' } : { kind: 'none' };
  }

  cname(name: string) {
    return this.ask(`CNAME ${name}`, () => this.resolver.resolveCname(name));
  }

  /** Ends what is still asked. */
  close(): void {
    clearTimeout(this.timer);
    this.isClosed = true;
    this.resolver.cancel();
  }

  private ask<T>(question: string, query: () => Promise<T[]>): Promise<DnsResult<T>> {
    const key = question.toLowerCase();
    const known = this.results.get(key);
    if (known) return known;
    const result = this.results.size < MAX_QUERIES && !this.isClosed ? resultOf(query) : UNAVAILABLE;
    this.results.set(key, result as Promise<DnsResult<never>>);
    return result;
  }
}

const UNAVAILABLE = Promise.resolve({ kind: 'unavailable' } as const);

async function resultOf<T>(query: () => Promise<T[]>): Promise<DnsResult<T>> {
  try {
    const records = (await query()).slice(0, MAX_RECORDS);
    return records.length > 0 ? { kind: 'found', records } : { kind: 'none' };
  } catch (error) {
    return { kind: NONE.has(codeOf(error)) ? 'none' : 'unavailable' };
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

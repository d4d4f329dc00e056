import { Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { FAIR_QUEUES } from '../concurrency/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { createSystemResolver, type HostResolver } from '../egress/index.js';
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
 * Asks name servers: those of `DNS_SERVERS`, else those of the operating system. Each workspace has its own places for tasks,
 * so that one with many domains, or with silent name servers, does not delay the others. A task waits for the network alone:
 * a place of its own costs nothing.
 */
@Injectable()
export class DnsClient {
  private readonly places = new FairQueue(FAIR_QUEUES.nameServerTasks);
  private readonly servers: readonly string[] | undefined;
  private readonly hosts: HostResolver;

  constructor(@Inject(CONFIG) config: Pick<Config, 'dns_servers'>) {
    this.servers = config.dns_servers.length > 0 ? config.dns_servers : undefined;
    this.hosts = createSystemResolver(this.servers ? { servers: this.servers } : {});
  }

  /**
   * Runs a task with at most 60 queries within five seconds. Do not call it in a transaction.
   * @throws Busy if too many tasks of the workspace wait
   */
  run<R>(workspaceId: number, task: (dns: DnsQueries) => Promise<R>): Promise<R> {
    return this.places.run(workspaceId, async () => {
      const session = new DnsSession(this.servers);
      try {
        return await task(session);
      } finally {
        session.close();
      }
    });
  }

  /** Returns the addresses of a host of the operator, which may be in the hosts file; none if they are not known. */
  async hostAddresses(name: string): Promise<readonly string[]> {
    return this.hosts(name, AbortSignal.timeout(TOTAL_TIMEOUT_MS)).catch(() => []);
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

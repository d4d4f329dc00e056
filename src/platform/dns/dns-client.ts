import { Inject, Injectable } from '@nestjs/common';
import { FairQueue } from '@outreach/concurrency';
import { askNameServers, createSystemResolver, type DnsQueries, type HostResolver } from '@outreach/egress';
import { FAIR_QUEUES } from '../concurrency/index.js';
import { CONFIG, type Config } from '../config/index.js';

/** How long the lookup of a host of the operator may take. */
const HOST_TIMEOUT_MS = 5_000;

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
    return this.places.run(workspaceId, () => askNameServers(task, this.servers));
  }

  /** Returns the addresses of a host of the operator, which may be in the hosts file; none if they are not known. */
  async hostAddresses(name: string): Promise<readonly string[]> {
    return this.hosts(name, AbortSignal.timeout(HOST_TIMEOUT_MS)).catch(() => []);
  }
}

import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { normalizeHost } from '../../platform/egress/index.js';
import type { TrackingConfig } from '../tracking.settings.js';

const MAX_REMEMBERED_OWNERS = 10_000;

/** The hosts at which links of messages work. A request at a tracking domain has no token of a workspace. */
@Injectable()
export class LinkHosts {
  private readonly ofTheService: ReadonlySet<string>;
  /** For the time in which the database does not respond. */
  private readonly lastOwners = new LRUCache<string, number>({ max: MAX_REMEMBERED_OWNERS });

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Pick<Config, 'public_url'> & TrackingConfig,
  ) {
    const host = normalizeHost(new URL(config.public_url).hostname);
    this.ofTheService = new Set([...(host === undefined ? [] : [host]), ...config.link_hosts]);
  }

  /**
   * Returns whether the links of all workspaces work at a host: that of `PUBLIC_URL` or of `LINK_HOSTS`, an address, or a
   * name without a dot, such as `localhost`, which cannot be a domain of somebody else.
   * @param host as `normalizeHost` returns it
   */
  isOfTheService(host: string): boolean {
    return this.ofTheService.has(host) || isIP(host) !== 0 || !host.includes('.');
  }

  /** Returns the workspace that has verified a domain last. @param domain as `normalizeHost` returns it */
  async findOwner(domain: string): Promise<number | undefined> {
    try {
      const owner = await this.readOwner(domain);
      if (owner === undefined) this.lastOwners.delete(domain);
      else this.lastOwners.set(domain, owner);
      return owner;
    } catch (error) {
      const last = this.lastOwners.get(domain);
      if (last === undefined) throw error;
      return last;
    }
  }

  private async readOwner(domain: string): Promise<number | undefined> {
    const [row] = await this.database.query<{ workspace_id: number }>(
      sql`SELECT workspace_id FROM tracking_domains WHERE domain = ${domain}`,
    );
    return row?.workspace_id;
  }
}

import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NotFound } from '@outreach/http-errors';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { Database, sql } from '../../platform/database/index.js';
import { isPrivateName, normalizeHost } from '@outreach/egress';
import { MessageLinks } from '../../sending/index.js';
import type { TrackingConfig } from '../tracking.settings.js';
import type { VerifiedDomain } from './tracking-domain.view.js';

const MAX_REMEMBERED_OWNERS = 10_000;

/**
 * The hosts at which links of messages work. A tracking domain serves only the links of the workspace that owns it: with the
 * links of another, that workspace could lead people from a domain that they trust to any page.
 */
@Injectable()
export class LinkHosts {
  private readonly ofTheService: ReadonlySet<string>;
  /** For the time in which the database does not respond. */
  private readonly lastOwners = new LRUCache<string, number>({ max: MAX_REMEMBERED_OWNERS });

  constructor(
    private readonly database: Database,
    private readonly links: MessageLinks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'> & TrackingConfig,
  ) {
    const host = normalizeHost(new URL(config.public_url).hostname);
    this.ofTheService = new Set([...(host === undefined ? [] : [host]), ...config.link_hosts]);
  }

  /**
   * Returns whether a link works at a host: that of `PUBLIC_URL` or of `LINK_HOSTS`, an address, a tracking domain of the
   * workspace of the link, or a name that is never public and is no tracking domain, such as `localhost`.
   * @param hostname the host of a request; undefined if it names none (HTTP/1.0)
   */
  async canServe(hostname: string | undefined, token: string): Promise<boolean> {
    if (hostname === undefined) return true;
    const host = normalizeHost(hostname);
    if (host === undefined) return false;
    if (this.isOfTheService(host)) return true;
    const workspaceId = this.links.workspaceOf(token);
    if (workspaceId === undefined) return false;
    const owner = await this.findOwner(host);
    return owner === undefined ? isPrivateName(host) : owner === workspaceId;
  }

  /** Returns the address of an unsubscribe page at which the links of all workspaces work. */
  unsubscribeUrl(token: string): string {
    return `${this.config.public_url}/u/${token}`;
  }

  /** Returns a tracking domain by its name, in any form. @throws NotFound if no workspace has verified it */
  async trackingDomain(name: string): Promise<VerifiedDomain> {
    const domain = normalizeHost(name);
    const owner = domain === undefined ? undefined : await this.findOwner(domain);
    if (domain === undefined || owner === undefined) throw new NotFound('Tracking domain');
    return { domain };
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

  /** A tracking domain has a dot. */
  private isOfTheService(host: string): boolean {
    return this.ofTheService.has(host) || isIP(host) !== 0 || !host.includes('.');
  }

  private async readOwner(domain: string): Promise<number | undefined> {
    const [row] = await this.database.query<{ workspace_id: number }>(
      sql`SELECT workspace_id FROM tracking_domains WHERE domain = ${domain}`,
    );
    return row?.workspace_id;
  }
}

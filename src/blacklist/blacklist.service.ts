import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { normalizeEmail } from '@outreach/email-addresses';
import { type LimitName, WorkspaceLimits } from '../platform/limits/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { AlreadyBlacklisted, BlacklistEntry, type BlacklistReason } from './blacklist-entry.entity.js';
import { BlacklistHashes } from './blacklist-hashes.js';
import {
  addedToday,
  countAdded,
  deleteOwn,
  endSharing,
  type HashedAddress,
  insertMissing,
  replaceByHash,
} from './blacklist.queries.js';
import type { BlacklistCheck } from './blacklist.view.js';
import type { BlacklistAddressDto, BlacklistAddressesDto } from './blacklist.dto.js';
import { GlobalBlacklist } from './global-blacklist.cross-tenant.js';

const DEFAULT_REASON: BlacklistReason = 'manual';
const DAY_LIMIT: LimitName = 'blacklist_entries_per_day';

@Injectable()
export class Blacklist {
  constructor(
    private readonly globalBlacklist: GlobalBlacklist,
    private readonly limits: WorkspaceLimits,
    private readonly hashes: BlacklistHashes,
  ) {}

  /**
   * Blacklists addresses because of what was reported about messages to them. Existing entries keep their reason and date.
   * Servers of the workspace's choice report, and whoever has the key of its inbound address: what they could claim of
   * addresses holds for others only within the limit of the day.
   * @returns the number of addresses that are new in the workspace
   */
  addReported(scope: WorkspaceScope, emails: readonly string[], reason: BlacklistReason): Promise<number> {
    return scope.transaction(async (tx) => {
      const isSandbox = await tx.isSandbox();
      const shared = isSandbox ? 0 : await this.limits.lockRemaining(tx, DAY_LIMIT, addedToday(tx));
      const ids = await this.insert(tx, emails, reason);
      // Those of a sandbox hold in it alone anyway.
      if (ids.length === 0 || isSandbox) return ids.length;
      await countAdded(tx, ids.length);
      if (shared < ids.length) await endSharing(tx, ids.slice(shared));
      return ids.length;
    });
  }

  /** @throws AlreadyBlacklisted if the workspace has already added the address; LimitReached */
  create(scope: WorkspaceScope, dto: BlacklistAddressDto): Promise<BlacklistEntry> {
    return scope.transaction(async (tx) => {
      if (await this.findOwn(tx, dto.email)) throw new AlreadyBlacklisted();
      const entry = await tx.of(BlacklistEntry).insert({
        email: dto.email,
        reason: dto.reason ?? DEFAULT_REASON,
        is_shared: !(await tx.isSandbox()),
      });
      await this.checkDay(tx, 1);
      return entry;
    });
  }

  /** @throws LimitReached; then no address is added */
  bulkCreate(scope: WorkspaceScope, dto: BlacklistAddressesDto): Promise<{ added: number; skipped: number }> {
    return scope.transaction(async (tx) => {
      const { length: added } = await this.insert(tx, dto.emails, dto.reason ?? DEFAULT_REASON);
      if (added > 0) await this.checkDay(tx, added);
      return { added, skipped: dto.emails.length - added };
    });
  }

  async bulkDelete(scope: WorkspaceScope, emails: readonly string[]): Promise<{ deleted: number; not_found: number }> {
    const both = emails.flatMap((email) => [email, this.hashes.of(email)]);
    const deleted = await scope.transaction((tx) => deleteOwn(tx, both));
    return { deleted, not_found: emails.length - deleted };
  }

  /** Whether any workspace has blacklisted the address. Contains the entry only if it is this workspace's own. */
  async check(scope: WorkspaceScope, email: string): Promise<BlacklistCheck> {
    const own = await this.findOwn(scope, email);
    return {
      email,
      is_blacklisted: own !== undefined || (await this.globalBlacklist.findListed(scope, [email])).has(email),
      own,
    };
  }

  /**
   * Removes the workspace's own entries for bounces, of addresses that were taken for dead by mistake.
   * @returns the number of removed entries
   */
  revokeBounces(scope: WorkspaceScope, emails: readonly string[]): Promise<number> {
    return deleteOwn(scope, emails, 'bounce');
  }

  /** Deletes the workspace's own entry. @throws NotFound */
  async remove(scope: WorkspaceScope, address: string): Promise<void> {
    const email = normalizeEmail(address.trim());
    // PostgreSQL refuses parameters with NUL characters.
    const deleted = email.includes('\0') ? 0 : await deleteOwn(scope, [email, this.hashes.of(email)]);
    if (deleted === 0) throw new NotFound('Blacklist entry');
  }

  /** Replaces the address of a person who is erased by a keyed hash, which still blocks it. */
  erase(scope: WorkspaceScope, email: string): Promise<void> {
    return replaceByHash(scope, this.hashed(email));
  }

  private hashed(email: string): HashedAddress {
    return { email, hash: this.hashes.of(email) };
  }

  /** The workspace's own entry, also if it is a hash. @param email in lower case */
  async findOwn(scope: WorkspaceScope, email: string): Promise<BlacklistEntry | undefined> {
    const [byAddress] = await scope.of(BlacklistEntry).find({ email });
    return byAddress ?? (await scope.of(BlacklistEntry).find({ email: this.hashes.of(email) }))[0];
  }

  /**
   * Adds those of the addresses that the workspace has not added yet. A transaction is repeated after a deadlock, e.g. with
   * one that adds the same addresses one by one.
   * @returns the IDs of the new entries
   */
  private insert(tx: WorkspaceScope, emails: readonly string[], reason: BlacklistReason): Promise<number[]> {
    return insertMissing(
      tx,
      emails.map((email) => this.hashed(normalizeEmail(email))),
      reason,
    );
  }

  /** Counts what was added today (UTC). @throws LimitReached */
  private async checkDay(tx: WorkspaceScope, added: number): Promise<void> {
    await countAdded(tx, added);
    await this.limits.checkTotal(tx, DAY_LIMIT, addedToday(tx));
  }
}

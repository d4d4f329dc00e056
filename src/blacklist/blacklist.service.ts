import { Injectable } from '@nestjs/common';
import { NotFound } from '../platform/errors/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { BlacklistEntry, type BlacklistReason } from './blacklist-entry.entity.js';
import { deleteOwn, insertMissing } from './blacklist.queries.js';
import type { BlacklistCheck } from './blacklist.view.js';
import type { BlacklistAddressDto } from './dto/blacklist-address.dto.js';
import type { BulkCreateDto } from './dto/bulk.dto.js';
import { GlobalBlacklist } from './global-blacklist.cross-tenant.js';

const DEFAULT_REASON: BlacklistReason = 'manual';

/** The entries that a workspace has added. */
@Injectable()
export class Blacklist {
  constructor(private readonly globalBlacklist: GlobalBlacklist) {}

  /**
   * Blacklists addresses, whatever stands there already: an entry that exists keeps its reason and date.
   * @returns how many of them the workspace had not added before
   */
  add(scope: WorkspaceScope, emails: readonly string[], reason: BlacklistReason): Promise<number> {
    const addresses = emails.map((email) => email.toLowerCase());
    // A transaction starts over when it loses a deadlock against one that adds addresses one after the other.
    return scope.transaction((tx) => insertMissing(tx, addresses, reason));
  }

  /** @throws RuleViolated when the workspace has added the address already */
  create(scope: WorkspaceScope, dto: BlacklistAddressDto): Promise<BlacklistEntry> {
    return scope.of(BlacklistEntry).insert({ email: dto.email, reason: dto.reason ?? DEFAULT_REASON });
  }

  async bulkCreate(scope: WorkspaceScope, dto: BulkCreateDto): Promise<{ added: number; skipped: number }> {
    const added = await this.add(scope, dto.emails, dto.reason ?? DEFAULT_REASON);
    return { added, skipped: dto.emails.length - added };
  }

  async bulkDelete(scope: WorkspaceScope, emails: readonly string[]): Promise<{ deleted: number; not_found: number }> {
    const deleted = await scope.transaction((tx) => deleteOwn(tx, emails));
    return { deleted, not_found: emails.length - deleted };
  }

  /** Whether anybody has blacklisted the address; the entry only where it is the workspace's own. */
  async check(scope: WorkspaceScope, email: string): Promise<BlacklistCheck> {
    const [own] = await scope.of(BlacklistEntry).find({ email });
    return {
      email,
      is_blacklisted: own !== undefined || (await this.globalBlacklist.findListed([email])).has(email),
      own,
    };
  }

  /** Takes the workspace's own entry back. @throws NotFound */
  async remove(scope: WorkspaceScope, address: string): Promise<void> {
    const email = address.trim().toLowerCase();
    // PostgreSQL refuses NUL characters even in a comparison.
    const deleted = email.includes('\0') ? 0 : await deleteOwn(scope, [email]);
    if (deleted === 0) throw new NotFound('Blacklist entry');
  }
}

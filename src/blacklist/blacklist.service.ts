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

/** The blacklist entries of a workspace. */
@Injectable()
export class Blacklist {
  constructor(private readonly globalBlacklist: GlobalBlacklist) {}

  /**
   * Blacklists addresses. Existing entries keep their reason and date.
   * @returns the number of addresses that are new in the workspace
   */
  add(scope: WorkspaceScope, emails: readonly string[], reason: BlacklistReason): Promise<number> {
    const addresses = emails.map((email) => email.toLowerCase());
    // A transaction is repeated after a deadlock, e.g. with a transaction that adds the same addresses one by one.
    return scope.transaction((tx) => insertMissing(tx, addresses, reason));
  }

  /** @throws RuleViolated if the workspace has already added the address */
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

  /** Whether any workspace has blacklisted the address. Contains the entry only if it is this workspace's own. */
  async check(scope: WorkspaceScope, email: string): Promise<BlacklistCheck> {
    const [own] = await scope.of(BlacklistEntry).find({ email });
    return {
      email,
      is_blacklisted: own !== undefined || (await this.globalBlacklist.findListed([email])).has(email),
      own,
    };
  }

  /** Deletes the workspace's own entry. @throws NotFound */
  async remove(scope: WorkspaceScope, address: string): Promise<void> {
    const email = address.trim().toLowerCase();
    // PostgreSQL refuses parameters with NUL characters.
    const deleted = email.includes('\0') ? 0 : await deleteOwn(scope, [email]);
    if (deleted === 0) throw new NotFound('Blacklist entry');
  }
}

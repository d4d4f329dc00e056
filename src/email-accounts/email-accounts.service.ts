import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '@outreach/http-errors';
import { sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { Page, ColumnValues, WorkspaceScope } from '../platform/tenancy/index.js';
import { changedImapFields, changeErrors } from './change-errors.js';
import { Credentials } from './credentials.js';
import { wholeDkim } from './dkim/index.js';
import type { CreateEmailAccountDto } from './dto/create-email-account.dto.js';
import type { EmailAccountListQuery } from './dto/email-account-list.query.js';
import type { UpdateEmailAccountDto } from './dto/update-email-account.dto.js';
import { EmailAccount } from './email-account.entity.js';
import type { EmailAccountType } from './providers/provider-names.js';
import { inputsOf, PROVIDERS } from './providers/providers.js';
import { LastAccountRequired } from './email-account.errors.js';
import { GrantRevocation } from './oauth/grant-revocation.js';
import { NO_LIMITS, limitChanges } from './limit-changes.js';
import {
  type AccountCounts,
  ensureDefault,
  type CountedAccount,
  countedAccounts,
  endReadingPause,
  clearDefault,
  findCounts,
  isOnlyAccount,
  lockDefault,
} from './email-accounts.queries.js';

@Injectable()
export class EmailAccounts {
  constructor(
    private readonly credentials: Credentials,
    private readonly events: DomainEvents,
    private readonly limits: WorkspaceLimits,
    private readonly revocation: GrantRevocation,
  ) {}

  list(scope: WorkspaceScope, query: EmailAccountListQuery): Promise<Page<CountedAccount>> {
    return countedAccounts(scope).page(query.in(scope));
  }

  /** @throws NotFound */
  get(scope: WorkspaceScope, id: number): Promise<CountedAccount> {
    return countedAccounts(scope).get(id);
  }

  /** Creates an account. The first of a workspace is its default. @throws LimitReached */
  async create(scope: WorkspaceScope, dto: CreateEmailAccountDto): Promise<CountedAccount> {
    const { id } = await scope.transaction(async (tx) => {
      await lockDefault(tx);
      const account = await tx
        .of(EmailAccount)
        .insert({ type: dto.type, ...this.columns(scope, dto.type, dto), ...limitChanges(tx, NO_LIMITS, dto) });
      await ensureDefault(tx);
      await this.limits.check(tx, 'email_accounts', sql`SELECT 1 FROM email_accounts WHERE workspace_id = ${tx}`);
      return account;
    });
    return this.get(scope, id);
  }

  /** @throws NotFound; ValidationFailed if the account was changed in the meantime */
  async update(scope: WorkspaceScope, account: EmailAccount, dto: UpdateEmailAccountDto): Promise<CountedAccount> {
    await scope.transaction(async (tx) => {
      // Again under the lock, so that concurrent requests cannot combine a stored password with another server.
      const stored = await tx.of(EmailAccount).lock(account.id);
      const errors = changeErrors(stored, dto);
      if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
      const columns = this.columns(scope, account.type, { ...dto, ...imapLogin(stored, dto) });
      await tx.of(EmailAccount).update(account.id, { ...columns, ...limitChanges(tx, stored, dto) });
      await this.updated(tx, account.id);
      if (dto.imap_password !== undefined || dto.smtp_password !== undefined) await endReadingPause(tx, account.id);
      if (changesLogin(stored, dto))
        await this.events.publish(tx, 'email_account.reachable', { email_account_id: account.id });
    });
    return this.get(scope, account.id);
  }

  /**
   * Deletes an account. If it was the default, another one becomes the default. Access to its mailbox is given back.
   * @throws NotFound, LastAccountRequired
   */
  remove(scope: WorkspaceScope, id: number): Promise<void> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      await lockDefault(tx);
      const { is_default: isDefault } = await tx.of(EmailAccount).lock(id);
      if (await isOnlyAccount(tx, id)) throw new LastAccountRequired();
      if (isDefault) {
        await clearDefault(tx);
        await ensureDefault(tx, id);
      }
      await this.revocation.revokeAfterCommit(tx, id);
      await this.events.publish(tx, 'email_account.deleted', { email_account_id: id });
      await tx.of(EmailAccount).delete(id);
    });
  }

  /** @throws NotFound */
  async setDefault(scope: WorkspaceScope, id: number): Promise<CountedAccount> {
    await scope.transaction(async (tx) => {
      await lockDefault(tx);
      await clearDefault(tx);
      await tx.of(EmailAccount).update(id, { is_default: true });
      await this.updated(tx, id);
    });
    return this.get(scope, id);
  }

  /** @throws NotFound */
  async resetCounter(scope: WorkspaceScope, id: number): Promise<CountedAccount> {
    await scope.transaction(async (tx) => {
      await tx.of(EmailAccount).update(id, { sent_count: 0 });
      await this.updated(tx, id);
    });
    return this.get(scope, id);
  }

  /** @throws NotFound */
  async stats(scope: WorkspaceScope, id: number): Promise<AccountCounts> {
    const counts = await findCounts(scope, id);
    if (!counts) throw new NotFound('Email account');
    return counts;
  }

  /** Returns the columns of a body. Fields of another account type are ignored. */
  private columns(
    scope: WorkspaceScope,
    type: EmailAccountType,
    dto: UpdateEmailAccountDto,
  ): ColumnValues<EmailAccount> {
    const { name, from_email, from_name, daily_limit, min_seconds_between, is_active } = dto;
    const { ramp_start, ramp_per_day } = dto;
    const enabled = is_active ? { disabled_reason: null, disabled_at: null } : {};
    const connection = { ...this.connection(scope, type, dto), ...this.dkim(scope, dto) };
    const limits = { daily_limit, min_seconds_between, ramp_start, ramp_per_day };
    return { name, from_email, from_name, is_active, ...limits, ...enabled, ...connection };
  }

  private dkim(scope: WorkspaceScope, dto: UpdateEmailAccountDto): ColumnValues<EmailAccount> {
    const { dkim_domain, dkim_selector, dkim_private_key } = wholeDkim(dto);
    return { dkim_domain, dkim_selector, ...this.credentials.encrypt(scope, { dkim_private_key }) };
  }

  private connection(
    scope: WorkspaceScope,
    type: EmailAccountType,
    dto: UpdateEmailAccountDto,
  ): ColumnValues<EmailAccount> {
    const provider = PROVIDERS[type];
    const secrets = provider.secrets.map(({ input }) => input);
    const sent = (names: readonly string[]) =>
      Object.fromEntries(Object.entries(dto).filter(([name]) => names.includes(name)));
    const fields = [...inputsOf(provider)].filter((name) => !secrets.includes(name));
    return { ...sent(fields), ...this.credentials.encrypt(scope, sent(secrets)) };
  }

  private updated(scope: WorkspaceScope, id: number): Promise<void> {
    return this.events.publish(scope, 'email_account.updated', { email_account_id: id });
  }
}

/** Whether a change may end what has kept the account from its provider: a switch, another server, another password. */
function changesLogin(stored: EmailAccount, dto: UpdateEmailAccountDto): boolean {
  if (dto.is_active === true && !stored.is_active) return true;
  const [before, sent] = [new Map(Object.entries(stored)), new Map(Object.entries(dto))];
  return PROVIDERS[stored.type].login.some(
    (input) => sent.get(input) !== undefined && sent.get(input) !== before.get(input),
  );
}

/**
 * Returns the login at the IMAP server after an update. Without a host it is cleared. If a client enters only the SMTP
 * password for a changed IMAP server, that is its password from now on.
 */
function imapLogin(
  stored: EmailAccount,
  dto: UpdateEmailAccountDto,
): { readonly imap_username?: null; readonly imap_password?: null } {
  if (dto.imap_host === null) return { imap_username: null, imap_password: null };
  const isSmtpPassword = changedImapFields(stored, dto).length > 0 && dto.imap_password === undefined;
  return isSmtpPassword ? { imap_password: null } : {};
}

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { check, checkDomain, type DomainChecks, type ExpectedKey } from '@outreach/domain-checks';
import type { DnsQueries } from '@outreach/egress';
import { NotFound } from '@outreach/http-errors';
import { DnsClient } from '../../platform/dns/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Credentials } from '../credentials.js';
import { CredentialsUnusable } from '../email-account.errors.js';
import { findStored, type StoredMailbox } from '../email-accounts.queries.js';
import { type DatedChecks, findChecks, storeChecks } from './domain-checks.queries.js';
import { withAdvice } from './domain-advice.js';
import { type DomainSubject, publicKeyOf, subjectKey, domainSubject } from './domain-subject.js';

const HOUR_SECONDS = 3_600;
/** After it, name servers that did not respond are asked again. */
const MINUTE_SECONDS = 60;

/** How many accounts {@link DomainAuthentication.checkMissing} checks, and for how long it waits. */
const MAX_CHECKED_ACCOUNTS = 5;
const MAX_WAIT_MS = 3_000;

export interface CheckedDomain extends DatedChecks {
  readonly domain: string;
}

/** Checks in DNS whether mail of an account's domain is authenticated. The results are stored for an hour. */
@Injectable()
export class DomainAuthentication {
  constructor(
    private readonly dns: DnsClient,
    private readonly credentials: Credentials,
  ) {}

  /**
   * Returns the checks of the domain of an account. Do not call it in a transaction.
   * @param refresh whether name servers are asked even if there are stored checks
   * @throws NotFound; Busy if too many checks of the workspace wait
   */
  async check(scope: WorkspaceScope, id: number, refresh: boolean): Promise<CheckedDomain> {
    const account = await findStored(scope, id);
    if (!account) throw new NotFound('Email account');
    if (await scope.isSandbox()) return { domain: domainSubject(account).domain, ...uncheckedAt(scope.clock.now()) };
    const subject = domainSubject(account);
    const stored = async () => (refresh ? undefined : findChecks(scope, id, subjectKey(subject)));
    const dated =
      (await stored()) ??
      // Another request may have asked while this one waited for its place.
      (await this.dns.run(scope.workspace_id, async (dns) => (await stored()) ?? this.ask(scope, account, dns)));
    return { domain: subject.domain, ...dated };
  }

  /**
   * Checks those of the accounts that have no stored checks: the first few, and for a few seconds. A check that takes longer
   * is stored when it ends, and one that fails leaves its account unchecked, which is what the caller reads then.
   */
  async checkMissing(scope: WorkspaceScope, accountIds: readonly number[]): Promise<void> {
    if (await scope.isSandbox()) return;
    const checks = accountIds.slice(0, MAX_CHECKED_ACCOUNTS).map((id) => this.check(scope, id, false));
    await Promise.race([Promise.allSettled(checks), pause(MAX_WAIT_MS, undefined, { ref: false })]);
  }

  private async ask(scope: WorkspaceScope, account: StoredMailbox, dns: DnsQueries): Promise<DatedChecks> {
    const subject = domainSubject(account);
    const { domain, includes, dkim_names: names } = subject;
    const dkim = { names, expected: this.expectedKey(scope, account) };
    const checks = withAdvice(await checkDomain(dns, { domain, includes, dkim }), subject);
    const seconds = isAnswered(checks, subject) ? HOUR_SECONDS : MINUTE_SECONDS;
    const change = { id: account.id, subject: subjectKey(subject), checks };
    return { checks, checked_at: await storeChecks(scope, change, seconds) };
  }

  private expectedKey(scope: WorkspaceScope, account: StoredMailbox): ExpectedKey | undefined {
    try {
      const dkim = this.credentials.decryptDkim(scope, account);
      const publicKey = dkim && publicKeyOf(dkim.private_key);
      return publicKey && { publicKey, privateKeyName: 'dkim_private_key' };
    } catch (error) {
      // Sending reports it; the records can be checked all the same.
      if (error instanceof CredentialsUnusable) return undefined;
      throw error;
    }
  }
}

/** In a sandbox no name server is asked. */
const uncheckedAt = (now: Date): DatedChecks => {
  const unchecked = check('unknown', [], 'The workspace is a sandbox: no name server is asked.');
  return { checks: { mx: unchecked, spf: unchecked, dkim: unchecked, dmarc: unchecked }, checked_at: now };
};

/** Whether the name servers have responded to everything that was asked. */
function isAnswered({ mx, spf, dkim, dmarc }: DomainChecks, { dkim_names: names }: DomainSubject): boolean {
  const asked = names.length > 0 ? [mx, spf, dkim, dmarc] : [mx, spf, dmarc];
  return asked.every(({ status }) => status !== 'unknown');
}

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { EmailAccount } from '../email-account.entity.js';
import type { MailProvider } from '../providers/provider.js';
import { PROVIDERS, serverOf } from '../providers/providers.js';

/** What an account says about its domain. */
export type CheckedAccount = Pick<
  EmailAccount,
  'type' | 'from_email' | 'smtp_host' | 'dkim_domain' | 'dkim_selector' | 'dkim_private_key_encrypted'
>;

/** What is checked for an account. Two accounts with equal subjects have equal checks. */
export interface DomainSubject {
  readonly domain: string;
  /** The domains of the provider's SPF records, of which one should be included. */
  readonly includes: readonly string[];
  /** Where its DKIM keys are. */
  readonly dkim_names: readonly string[];
  /** A hash of the encrypted private key, to which the published one must belong; null without DKIM. */
  readonly dkim_key_hash: string | null;
}

/** Returns a text that is equal for equal subjects. */
export const subjectKey = ({ domain, includes, dkim_names, dkim_key_hash }: DomainSubject): string =>
  JSON.stringify([domain, includes, dkim_names, dkim_key_hash]);

const NOTHING: Pick<MailProvider, 'spf_includes' | 'dkim_selectors'> = { spf_includes: [], dkim_selectors: [] };

/** Domains of the providers themselves, whose records are theirs. */
const OF_PROVIDERS = new Set(Object.values(PROVIDERS).flatMap(({ domains }) => domains));

export function domainSubject(account: CheckedAccount): DomainSubject {
  const domain = account.from_email.slice(account.from_email.lastIndexOf('@') + 1).toLowerCase();
  const { spf_includes: includes, dkim_selectors: selectors } = OF_PROVIDERS.has(domain) ? NOTHING : serverOf(account);
  const own = account.dkim_selector === null ? [] : [`${account.dkim_selector}._domainkey.${account.dkim_domain}`];
  const dkim_names = own.length > 0 ? own : selectors.map((selector) => `${selector}._domainkey.${domain}`);
  const { dkim_private_key_encrypted: key } = account;
  const dkim_key_hash = key === null ? null : createHash('sha256').update(key).digest('base64url');
  return { domain, includes, dkim_names, dkim_key_hash };
}

export function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

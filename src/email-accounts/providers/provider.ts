import type { LimitRule } from './provider-limits.js';

/** How the mailboxes of a provider are connected by OAuth. */
export interface OauthParts {
  /** What is asked for: the identity, access to the mailbox by SMTP and IMAP, and that without the owner. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The claims of an ID token that may hold the address of the mailbox, the first of them first. */
  readonly address_claims: readonly string[];
  /** The issuer that discovery names in place of the configured one, whose endpoints are read all the same. */
  readonly discovered_issuer?: string;
  /** How the connection to its SMTP server is encrypted. */
  readonly smtp_encryption: 'tls' | 'ssl';
}

/** Everything that the service knows of one provider of email accounts. Its folder has it, and `providers.ts` lists it. */
export interface MailProvider {
  /** What messages for people call it. */
  readonly name: string;
  /** The names of its SMTP servers, which accounts of the type `smtp` may use, too. */
  readonly servers?: RegExp;
  /** Its own domains, whose records in DNS are its own affair. */
  readonly domains: readonly string[];
  /** The domains of its SPF records, of which the record of a sender's domain should include one. */
  readonly spf_includes: readonly string[];
  /** Under which of these its DKIM keys are. */
  readonly dkim_selectors: readonly string[];
  /** Whether it signs every message itself, so that accounts have no key of their own. */
  readonly signs: boolean;
  /** What it replies when an account has reached a limit of its own. */
  readonly limits: readonly LimitRule[];
  /** How many connections to its server a run opens for an account at most. */
  readonly max_connections: number;
  /** Whether its sent mail certainly has every message that its server has accepted. */
  readonly stores_sent_mail: boolean;
  /** Whether it reports what has become of a message by events, and not by mail. */
  readonly reports_by_events: boolean;
  /** null if its accounts have a secret instead. */
  readonly oauth: OauthParts | null;
}

/** How many connections to most servers a run opens at most. */
export const MAX_CONNECTIONS = 5;

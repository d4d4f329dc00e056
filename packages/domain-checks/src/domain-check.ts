/** How the records of a domain are. */
export const CHECK_STATUSES = [
  /** As they should be. */
  'pass',
  /** They work, but should be better. */
  'warn',
  /** They are missing or wrong: messages are likely to be refused, or to be taken for spam. */
  'fail',
  /** The name servers did not respond, or nothing says where the record is. */
  'unknown',
] as const;
/** One of {@link CHECK_STATUSES}. */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The result of one check. */
export interface DomainCheck {
  readonly status: CheckStatus;
  /** What was found; null if there is nothing. */
  readonly record: string | null;
  /** For people: what it means, and what to do. */
  readonly message: string;
}

/** The checks of the domain of a sender. */
export interface DomainChecks {
  readonly mx: DomainCheck;
  readonly spf: DomainCheck;
  readonly dkim: DomainCheck;
  readonly dmarc: DomainCheck;
}

/** A domain may publish megabytes; so much of a record is shown and stored. */
const MAX_RECORD_LENGTH = 4_096;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Returns the result of a check, with a record and a message that can be stored and shown.
 * @param records what was found
 */
export const check = (status: CheckStatus, records: readonly string[], message: string): DomainCheck => ({
  status,
  record: records.length === 0 ? null : printable(records.join('\n'), MAX_RECORD_LENGTH),
  message: printable(message, MAX_MESSAGE_LENGTH),
});

/** What others publish may have NUL characters and halves of surrogate pairs, which databases do not store. */
const printable = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/[^\n\x20-\x7e\u00a1-\u{10ffff}]/gu, '?');

/** @param name what was asked for */
export const unanswered = (name: string, records: readonly string[] = []): DomainCheck =>
  check('unknown', records, `The name servers of ${name} did not respond.`);

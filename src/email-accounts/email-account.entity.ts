import { Check, Column, Entity, getMetadataArgsStorage, Index, PrimaryColumn } from 'typeorm';
import type { ImapEncryption, SmtpEncryption } from '@outreach/mail-sessions';
import { type Sql, sql } from '../platform/database/index.js';
import { BelongsTo, WorkspaceEntity } from '../platform/tenancy/index.js';
import { type EmailAccountType, isOneOf, OAUTH_PROVIDERS } from './providers/provider-names.js';
import { ACCOUNT_TYPES, inputColumnsOf, PROVIDERS } from './providers/providers.js';

/** Why the service has made an account inactive. */
export const DISABLED_REASONS = [
  /** The mail server or the provider refuses its credentials. */
  'login_refused',
  /** The owner of the mailbox has withdrawn the consent at Google or Microsoft: connect it again. */
  'consent_withdrawn',
  /** Too many of its messages bounced. */
  'bounce_rate',
  /**
   * Its mail server has refused ten recipients in a row with the same words: at five domains or more, or all of the first ten.
   * Mend the account and make it active; its messages wait for that.
   */
  'sender_refused',
] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DEFAULT_DAILY_LIMIT = 500;
export const MAX_DAILY_LIMIT = 10_000;

export const MAX_SECONDS_BETWEEN = 86_400;
export const MAX_RAMP_START = MAX_DAILY_LIMIT;
export const DEFAULT_RAMP_PER_DAY = 5;
export const MAX_RAMP_PER_DAY = 1_000;

/** A mailbox that campaigns send from. Its credentials are encrypted and not selected by default. */
@Entity('email_accounts')
@Index('email_account_one_default', ['workspace_id'], { unique: true, where: 'is_default' })
@Check('email_account_type_known', isOneOf('type', ACCOUNT_TYPES))
@Check(
  'email_account_disabled_reason_known',
  `disabled_reason IN ('login_refused', 'consent_withdrawn', 'bounce_rate', 'sender_refused')`,
)
@Check('email_account_daily_limit_range', 'daily_limit BETWEEN 1 AND 10000')
@Check('email_account_dkim_complete', 'num_nulls(dkim_domain, dkim_selector, dkim_private_key_encrypted) IN (0, 3)')
@Check('email_account_min_seconds_between_range', 'min_seconds_between BETWEEN 0 AND 86400')
@Check('email_account_ramp_start_range', 'ramp_start BETWEEN 1 AND 10000')
@Check('email_account_ramp_per_day_range', 'ramp_per_day BETWEEN 1 AND 1000')
export class EmailAccount extends WorkspaceEntity {
  @Column('text') name!: string;
  @Column('text') type!: EmailAccountType;
  @Column('text') from_email!: string;
  @Column('text') from_name!: string;
  @Column('boolean', { default: false }) is_default!: boolean;
  @Column('boolean', { default: true }) is_active!: boolean;
  /** Why the service made it inactive; null if it is active, or inactive by request. */
  @Column('text', { nullable: true }) disabled_reason!: DisabledReason | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) disabled_at!: Date | null;
  @Column('int', { default: DEFAULT_DAILY_LIMIT }) daily_limit!: number;
  /** Messages sent or reserved on `counted_on`. Read it as `sent_today`, which is 0 on every other day. */
  @Column('int', { default: 0, select: false }) sent_count!: number;
  /** The day (UTC) of `sent_count`; null before the first message. */
  @Column('date', { nullable: true, select: false }) counted_on!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_used_at!: Date | null;
  /** The gap between two messages in seconds, without its random part; 0 for none. */
  @Column('int', { default: 0 }) min_seconds_between!: number;
  /**
   * When the gap after the last message began: when it was accepted, or may have been. Null if that is not known, because
   * there was no gap then, or no message.
   */
  @Column({ type: 'timestamptz', nullable: true, select: false }) gap_begins_at!: Date | null;
  /** By which part of itself this gap is longer. */
  @Column('double precision', { default: 0, select: false }) gap_random_part!: number;
  /** The limit of the first day of a ramp; null without one. */
  @Column('int', { nullable: true }) ramp_start!: number | null;
  @Column('int', { default: DEFAULT_RAMP_PER_DAY }) ramp_per_day!: number;
  /** The first day (UTC) of the ramp; null without one. */
  @Column('date', { nullable: true, select: false }) ramp_started_on!: string | null;
  /** On how many days of the ramp before `counted_on` messages were claimed. */
  @Column('int', { default: 0, select: false }) ramp_days!: number;
  /** Until then nothing is sent, because the provider has said that a limit of the account is reached. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) limited_until!: Date | null;
  /** How long the last such wait is, without its random part. */
  @Column('int', { default: 0, select: false }) limited_seconds!: number;
  /** The messages that the server has deferred since it last accepted one: several in a row are a limit of the account. */
  @Column('bigint', { array: true, default: () => `'{}'`, select: false }) deferred_messages!: number[];
  /** The messages that the mail server has refused one after the other with the same words, until it accepts one. */
  @Column('bigint', { array: true, default: () => `'{}'`, select: false }) refused_messages!: number[];
  /** What these refusals have in common. */
  @Column('text', { nullable: true, select: false }) refused_signature!: string | null;
  /** Whether it had refused a message with other words before. */
  @Column('boolean', { default: false, select: false }) refused_otherwise!: boolean;
  /** The worker that sends from it now. */
  @Column('uuid', { nullable: true, select: false }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true, select: false }) lease_until!: Date | null;
  @Column('text', { nullable: true }) smtp_host!: string | null;
  @Column('int', { nullable: true }) smtp_port!: number | null;
  @Column('text', { nullable: true }) smtp_username!: string | null;
  @Column('text', { nullable: true }) smtp_encryption!: SmtpEncryption | null;
  @Column('text', { nullable: true, select: false }) smtp_password_encrypted!: string | null;
  /** Null if the mailbox is not read, unless it is connected by OAuth. */
  @Column('text', { nullable: true }) imap_host!: string | null;
  @Column('int', { nullable: true }) imap_port!: number | null;
  @Column('text', { nullable: true }) imap_encryption!: ImapEncryption | null;
  /** Null for that of SMTP. */
  @Column('text', { nullable: true }) imap_username!: string | null;
  /** Null for that of SMTP. */
  @Column('text', { nullable: true, select: false }) imap_password_encrypted!: string | null;
  /** The domain for which messages are signed; null if they are not signed by the service. */
  @Column('text', { nullable: true }) dkim_domain!: string | null;
  @Column('text', { nullable: true }) dkim_selector!: string | null;
  @Column('text', { nullable: true, select: false }) dkim_private_key_encrypted!: string | null;
}

const declared = getMetadataArgsStorage()
  .filterColumns(EmailAccount)
  .map(({ propertyName }) => propertyName);

/** The columns of inputs that only one provider reads: those that the class does not declare. */
export const PROVIDER_COLUMNS: readonly string[] = Object.values(PROVIDERS)
  .flatMap((provider) => inputColumnsOf(provider))
  .filter((column) => !declared.includes(column));

for (const column of PROVIDER_COLUMNS)
  Column('text', { nullable: true, select: false })(EmailAccount.prototype, column);

/** Whether the mailbox of an account is read. */
export const isRead = ({ type, imap_host: host }: Pick<EmailAccount, 'type' | 'imap_host'>): boolean =>
  host !== null || PROVIDERS[type].oauth !== null;

/** SQL: whether the mailbox of an account is read. */
export const isReadIn = (account: Sql): Sql =>
  sql`(${account}.type = ANY(${[...OAUTH_PROVIDERS]}::text[]) OR ${account}.imap_host IS NOT NULL)`;

/** How many messages an account sent on one day (UTC). */
@Entity('email_account_days')
@BelongsTo(() => EmailAccount, 'email_account_id')
export class EmailAccountDay {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  @PrimaryColumn('date') day!: string;
  @Column('int') sent!: number;
  /** The last of them; null if it is not known. */
  @Column('bigint', { nullable: true }) last_message_id!: number | null;
}

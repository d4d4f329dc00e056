import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../platform/tenancy/index.js';
import { EmailAccount } from './email-account.entity.js';

/** When and by which worker the mailbox of an account is read. A trigger keeps one for each account that is read. */
@Entity('mailbox_readings')
@BelongsTo(() => EmailAccount, 'email_account_id')
@Index('mailbox_readings_due', ['next_read_at'])
export class MailboxReading {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  /** The start of the day (UTC) on which reading began. Mails that were received before are not read. */
  @Column({ type: 'timestamptz', precision: 3 }) read_from!: Date;
  /** When it was last read to its end. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) read_at!: Date | null;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) next_read_at!: Date;
  /** Failures since the last success. */
  @Column('int', { default: 0 }) failures!: number;
  /** Why the last run has failed; null if it has not. */
  @Column('text', { nullable: true }) last_error!: string | null;
  @Column('uuid', { nullable: true }) leased_by!: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) lease_until!: Date | null;
}

/** Which folders of a mailbox are read. */
export const READ_FOLDERS = ['inbox', 'junk'] as const;
export type ReadFolder = (typeof READ_FOLDERS)[number];

/** How far a folder of a mailbox was read. */
@Entity('mailbox_cursors')
@BelongsTo(() => EmailAccount, 'email_account_id')
@Check('mailbox_cursor_folder_known', `folder IN ('inbox', 'junk')`)
export class MailboxCursor {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  @PrimaryColumn('text') folder!: ReadFolder;
  /** Its path at the server. */
  @Column('text') path!: string;
  /** The numbers of messages are those of this epoch (RFC 3501, 2.3.1.1). */
  @Column('bigint') uid_validity!: number;
  /** The number of the last message that was read. */
  @Column('bigint') last_uid!: number;
}

/** A mail that could not be read. The mails behind it are read, and it is tried again. */
@Entity('failed_mails')
@BelongsTo(() => EmailAccount, 'email_account_id')
@Check('failed_mail_folder_known', `folder IN ('inbox', 'junk')`)
export class FailedMail {
  @PrimaryColumn('bigint') workspace_id!: number;
  @PrimaryColumn('bigint') email_account_id!: number;
  @PrimaryColumn('text') folder!: ReadFolder;
  /** As in {@link MailboxCursor}. */
  @PrimaryColumn('bigint') uid_validity!: number;
  @PrimaryColumn('bigint') uid!: number;
  /** How often it was tried. */
  @Column('int', { default: 1 }) tries!: number;
  /** Which mail it is, and why it could not be read. */
  @Column('text') error!: string;
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' }) failed_at!: Date;
  @Column({ type: 'timestamptz', precision: 3 }) next_try_at!: Date;
}

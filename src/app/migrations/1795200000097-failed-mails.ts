import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A mail that cannot be read is tried again later, and those behind it are read. An account that is made inactive does not
 * end the pause of its mailbox: the service makes it inactive because a run has failed.
 */
export class FailedMails1795200000097 implements MigrationInterface {
  name = 'FailedMails1795200000097';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  'ALTER TABLE mailbox_readings ADD last_error text',
  `CREATE TABLE failed_mails (
     workspace_id bigint NOT NULL, email_account_id bigint NOT NULL, folder text NOT NULL, uid_validity bigint NOT NULL,
     uid bigint NOT NULL, tries integer NOT NULL DEFAULT 1, error text NOT NULL,
     failed_at timestamptz(3) NOT NULL DEFAULT now(), next_try_at timestamptz(3) NOT NULL,
     CONSTRAINT "PK_d81e0a377c8ad1559ba85626390" PRIMARY KEY (workspace_id, email_account_id, folder, uid_validity, uid),
     CONSTRAINT "FK_5a9aa1518b8ff6ce73bac011c07" FOREIGN KEY (workspace_id, email_account_id)
       REFERENCES email_accounts (workspace_id, id) ON DELETE CASCADE,
     CONSTRAINT failed_mail_folder_known CHECK (folder IN ('inbox', 'junk'))
   )`,
  `CREATE OR REPLACE FUNCTION keep_mailbox_reading() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'UPDATE' AND (
       NEW.imap_host IS DISTINCT FROM OLD.imap_host
       OR coalesce(NEW.imap_username, NEW.smtp_username) IS DISTINCT FROM coalesce(OLD.imap_username, OLD.smtp_username)
     ) THEN
       DELETE FROM mailbox_readings WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
       DELETE FROM mailbox_cursors WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
       DELETE FROM failed_mails WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
     END IF;
     IF NEW.imap_host IS NOT NULL OR NEW.type IN ('google', 'microsoft') THEN
       INSERT INTO mailbox_readings (workspace_id, email_account_id, read_from)
       VALUES (NEW.workspace_id, NEW.id, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
       ON CONFLICT (workspace_id, email_account_id) DO UPDATE SET next_read_at = now(), failures = 0, last_error = NULL;
       UPDATE failed_mails SET next_try_at = now() WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE TRIGGER keep_mailbox_reading_of_changed
     AFTER UPDATE OF imap_host, imap_port, imap_encryption, imap_username, smtp_username ON email_accounts
     FOR EACH ROW EXECUTE FUNCTION keep_mailbox_reading()`,
  `CREATE TRIGGER keep_mailbox_reading_of_activated AFTER UPDATE OF is_active ON email_accounts
     FOR EACH ROW WHEN (NEW.is_active) EXECUTE FUNCTION keep_mailbox_reading()`,
];

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mailboxes are read by IMAP: how to connect, when each was read, and how far. */
export class MailboxReadings1795200000038 implements MigrationInterface {
  name = 'MailboxReadings1795200000038';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `ALTER TABLE email_accounts ADD imap_host text, ADD imap_port integer, ADD imap_encryption text,
     ADD imap_username text, ADD imap_password_encrypted text`,
  `UPDATE email_accounts SET imap_port = 993, imap_encryption = 'ssl' WHERE type = 'smtp'`,
  `CREATE TABLE mailbox_readings (
     workspace_id bigint NOT NULL, email_account_id bigint NOT NULL, read_from timestamptz(3) NOT NULL,
     read_at timestamptz(3), next_read_at timestamptz(3) NOT NULL DEFAULT now(), failures integer NOT NULL DEFAULT 0,
     leased_by uuid, lease_until timestamptz(3),
     CONSTRAINT "PK_0c09c4d97353525b76d83619054" PRIMARY KEY (workspace_id, email_account_id),
     CONSTRAINT "FK_0c09c4d97353525b76d83619054" FOREIGN KEY (workspace_id, email_account_id)
       REFERENCES email_accounts (workspace_id, id) ON DELETE CASCADE
   ) WITH (fillfactor = 70)`,
  'CREATE INDEX mailbox_readings_due ON mailbox_readings (next_read_at)',
  `CREATE TABLE mailbox_cursors (
     workspace_id bigint NOT NULL, email_account_id bigint NOT NULL, folder text NOT NULL, path text NOT NULL,
     uid_validity bigint NOT NULL, last_uid bigint NOT NULL,
     CONSTRAINT "PK_75b19c168522d49388e5708aa55" PRIMARY KEY (workspace_id, email_account_id, folder),
     CONSTRAINT "FK_4c18cf09a4a82da9099126e5cc1" FOREIGN KEY (workspace_id, email_account_id)
       REFERENCES email_accounts (workspace_id, id) ON DELETE CASCADE,
     CONSTRAINT mailbox_cursor_folder_known CHECK (folder IN ('inbox', 'junk'))
   )`,
  // Whatever creates or changes an account, a mailbox that is read has a reading; one at another server or of another
  // user begins anew.
  `CREATE FUNCTION keep_mailbox_reading() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'UPDATE' AND (
       NEW.imap_host IS DISTINCT FROM OLD.imap_host
       OR coalesce(NEW.imap_username, NEW.smtp_username) IS DISTINCT FROM coalesce(OLD.imap_username, OLD.smtp_username)
     ) THEN
       DELETE FROM mailbox_readings WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
       DELETE FROM mailbox_cursors WHERE workspace_id = NEW.workspace_id AND email_account_id = NEW.id;
     END IF;
     IF NEW.imap_host IS NOT NULL OR NEW.type IN ('google', 'microsoft') THEN
       INSERT INTO mailbox_readings (workspace_id, email_account_id, read_from)
       VALUES (NEW.workspace_id, NEW.id, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
       ON CONFLICT (workspace_id, email_account_id) DO UPDATE SET next_read_at = now(), failures = 0;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER keep_mailbox_reading_of_new AFTER INSERT ON email_accounts
     FOR EACH ROW EXECUTE FUNCTION keep_mailbox_reading()`,
  `CREATE TRIGGER keep_mailbox_reading_of_changed
     AFTER UPDATE OF imap_host, imap_port, imap_encryption, imap_username, smtp_username, is_active ON email_accounts
     FOR EACH ROW EXECUTE FUNCTION keep_mailbox_reading()`,
  `INSERT INTO mailbox_readings (workspace_id, email_account_id, read_from)
   SELECT workspace_id, id, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
   FROM email_accounts WHERE type IN ('google', 'microsoft')`,
];

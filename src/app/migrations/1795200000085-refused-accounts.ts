import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account whose server refuses one recipient after the other with the same words is switched off. */
export class RefusedAccounts1795200000085 implements MigrationInterface {
  name = 'RefusedAccounts1795200000085';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `ALTER TABLE email_accounts ADD refused_messages bigint[] NOT NULL DEFAULT '{}', ADD refused_signature text,
     ADD refused_otherwise boolean NOT NULL DEFAULT FALSE,
     DROP CONSTRAINT email_account_disabled_reason_known,
     ADD CONSTRAINT email_account_disabled_reason_known
       CHECK (disabled_reason IN ('login_refused', 'consent_withdrawn', 'bounce_rate', 'sender_refused'))`,
];

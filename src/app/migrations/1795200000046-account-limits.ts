import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts have a gap between two messages, and a ramp of their daily limit. */
export class AccountLimits1795200000046 implements MigrationInterface {
  name = 'AccountLimits1795200000046';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE email_accounts ADD min_seconds_between integer NOT NULL DEFAULT 0,
         ADD gap_begins_at timestamptz, ADD gap_random_part double precision NOT NULL DEFAULT 0,
         ADD ramp_start integer, ADD ramp_per_day integer NOT NULL DEFAULT 5, ADD ramp_started_on date,
         ADD ramp_days integer NOT NULL DEFAULT 0,
         ADD CONSTRAINT email_account_min_seconds_between_range CHECK (min_seconds_between BETWEEN 0 AND 86400),
         ADD CONSTRAINT email_account_ramp_start_range CHECK (ramp_start BETWEEN 1 AND 10000),
         ADD CONSTRAINT email_account_ramp_per_day_range CHECK (ramp_per_day BETWEEN 1 AND 1000)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

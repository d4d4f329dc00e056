import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that SendGrid's events are signed for. */
export class Inbound1795200000007 implements MigrationInterface {
  name = 'Inbound1795200000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "email_accounts" ADD "sendgrid_webhook_key" text`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

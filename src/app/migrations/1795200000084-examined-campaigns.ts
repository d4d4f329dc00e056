import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A batch of changed contacts is left between two campaigns, and the next run goes on with the next one. */
export class ExaminedCampaigns1795200000084 implements MigrationInterface {
  name = 'ExaminedCampaigns1795200000084';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE changed_contacts ADD examined_campaign_id bigint NOT NULL DEFAULT 0');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A redelivery knows which delivery it repeats, so that a range of logs has each delivery once. */
export class RedeliveredDeliveries1795200000080 implements MigrationInterface {
  name = 'RedeliveredDeliveries1795200000080';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['webhook_deliveries', 'webhook_logs'])
      await queryRunner.query(`ALTER TABLE ${table} ADD original_delivery_id uuid`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

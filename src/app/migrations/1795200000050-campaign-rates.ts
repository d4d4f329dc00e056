import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns pause themselves at a rate of bounces or complaints, with the default rates for those that exist. What running
 * campaigns have sent until now does not count. Messages say that they ended in a soft bounce, from now on.
 */
export class CampaignRates1795200000050 implements MigrationInterface {
  name = 'CampaignRates1795200000050';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `ALTER TABLE campaigns ADD stop_at_bounce_rate double precision DEFAULT '0.1',
     ADD stop_at_complaint_rate double precision DEFAULT '0.003',
     ADD CONSTRAINT campaign_stop_at_bounce_rate_range CHECK (stop_at_bounce_rate BETWEEN 0 AND 1),
     ADD CONSTRAINT campaign_stop_at_complaint_rate_range CHECK (stop_at_complaint_rate BETWEEN 0 AND 1),
     DROP CONSTRAINT campaign_pause_reason_known,
     ADD CONSTRAINT campaign_pause_reason_known CHECK (pause_reason IN ('account_deleted', 'bounce_rate', 'complaint_rate'))`,
  `CREATE TABLE campaign_rates (
     workspace_id bigint NOT NULL, campaign_id bigint NOT NULL, counted_from timestamptz(3) NOT NULL,
     sent_before bigint NOT NULL, refused integer NOT NULL DEFAULT 0, bounced integer NOT NULL DEFAULT 0,
     complained integer NOT NULL DEFAULT 0, compared_at_sent bigint NOT NULL DEFAULT 0,
     CONSTRAINT "PK_4a0e26a3a9a5f56643c74891e41" PRIMARY KEY (workspace_id, campaign_id),
     CONSTRAINT "FK_4a0e26a3a9a5f56643c74891e41" FOREIGN KEY (workspace_id, campaign_id)
       REFERENCES campaigns (workspace_id, id) ON DELETE CASCADE
   ) WITH (fillfactor = 50)`,
  `INSERT INTO campaign_rates (workspace_id, campaign_id, counted_from, sent_before)
   SELECT workspace_id, id, now(), 0 FROM campaigns WHERE status = 'active'`,
  'ALTER TABLE messages ADD soft_bounced_at timestamptz(3), ADD soft_bounced_address text',
];

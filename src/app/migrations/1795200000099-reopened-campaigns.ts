import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Campaigns without a step are paused. Completed campaigns become active by themselves when they have work again. Those that
 * have it already, because contacts were enrolled after their end, are paused: their owners do not expect the messages any more.
 */
export class ReopenedCampaigns1795200000099 implements MigrationInterface {
  name = 'ReopenedCampaigns1795200000099';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `ALTER TABLE campaigns DROP CONSTRAINT campaign_pause_reason_known,
     ADD CONSTRAINT campaign_pause_reason_known
       CHECK (pause_reason IN ('account_deleted', 'no_step', 'bounce_rate', 'complaint_rate'))`,
  `UPDATE campaigns campaign SET status = 'paused', pause_reason = 'no_step', paused_at = now(),
     updated_at = greatest(updated_at, now())
   WHERE status = 'active' AND NOT EXISTS (
     SELECT 1 FROM campaign_steps step
     WHERE step.workspace_id = campaign.workspace_id AND step.campaign_id = campaign.id)`,
  // The delay of the first step counts from the start for contacts that were enrolled after the pause.
  `UPDATE campaigns campaign SET status = 'paused', paused_at = completed_at, completed_at = NULL,
     updated_at = greatest(updated_at, now())
   WHERE status = 'completed' AND (auto_enrolls OR EXISTS (
     SELECT 1 FROM enrollments enrollment
     WHERE enrollment.workspace_id = campaign.workspace_id AND enrollment.campaign_id = campaign.id
       AND enrollment.status IN ('pending', 'in_progress')))`,
];

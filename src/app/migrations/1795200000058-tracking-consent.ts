import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contacts agree to the measurement of opens and clicks, or refuse it. */
export class TrackingConsent1795200000058 implements MigrationInterface {
  name = 'TrackingConsent1795200000058';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `ALTER TABLE contacts ADD tracking_consent text NOT NULL DEFAULT 'unknown', ADD tracking_consent_at timestamptz(3),
     ADD tracking_consent_source text`,
  `ALTER TABLE contacts ADD CONSTRAINT contact_tracking_consent_known
     CHECK (tracking_consent IN ('unknown', 'granted', 'refused'))`,
  `CREATE INDEX contacts_by_tracking_consent ON contacts (workspace_id, tracking_consent, id)
     WHERE tracking_consent <> 'unknown'`,
  'ALTER TABLE contact_changes DROP CONSTRAINT contact_change_field_known',
  `ALTER TABLE contact_changes ADD CONSTRAINT contact_change_field_known CHECK (field IN ('status', 'tracking_consent'))`,
  `ALTER TABLE workspaces ADD tracking_consent_required boolean NOT NULL DEFAULT false,
     ADD track_opens boolean NOT NULL DEFAULT true, ADD track_clicks boolean NOT NULL DEFAULT true`,
];

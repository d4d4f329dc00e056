import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Active campaigns enroll the new members of lists and segments. */
export class AutoEnrollment1795200000059 implements MigrationInterface {
  name = 'AutoEnrollment1795200000059';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/**
 * From so many changes on that wait in a workspace, one row without a contact replaces the next ones. The difference of
 * the first and the last ID is at least the number of rows.
 */
const MAX_CHANGES = 1_000_000;

/**
 * Notes the contacts that a statement changes, in workspaces with an active campaign that enrolls by itself. For the others
 * it probes one partial index.
 */
const noteChanges = (name: string, contactId: string, condition: string): string => `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE workspace bigint; first_id bigint; last_id bigint;
  BEGIN
    FOR workspace IN
      SELECT touched.workspace_id FROM (SELECT DISTINCT workspace_id FROM changed) touched
      WHERE EXISTS (SELECT 1 FROM campaigns campaign
        WHERE campaign.workspace_id = touched.workspace_id AND campaign.status = 'active' AND campaign.auto_enrolls)
    LOOP
      SELECT min(id), max(id) INTO first_id, last_id FROM changed_contacts WHERE workspace_id = workspace;
      IF last_id - first_id >= ${MAX_CHANGES} THEN
        INSERT INTO changed_contacts (workspace_id, contact_id)
        SELECT workspace, NULL FROM changed_contacts last
        WHERE last.workspace_id = workspace AND last.id = last_id AND last.contact_id IS NOT NULL;
      ELSE
        INSERT INTO changed_contacts (workspace_id, contact_id)
        SELECT workspace, changed.${contactId} FROM changed WHERE changed.workspace_id = workspace${condition};
      END IF;
    END LOOP;
    RETURN NULL;
  END $$`;

const noteAfter = (operation: 'INSERT' | 'UPDATE' | 'DELETE', table: string, calls: string): string =>
  `CREATE TRIGGER note_changes_by_${operation.toLowerCase()} AFTER ${operation} ON ${table}
   REFERENCING ${operation === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${calls}()`;

/** Each statement of the function sees what the lock has waited for, so that the last of two concurrent deletions counts. */
const FOLLOW_SOURCES = `
  CREATE FUNCTION follow_auto_enroll_sources() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM campaigns campaign
    WHERE (campaign.workspace_id, campaign.id) IN (SELECT workspace_id, campaign_id FROM changed)
    ORDER BY campaign.workspace_id, campaign.id FOR NO KEY UPDATE;
    UPDATE campaigns campaign SET updated_at = greatest(updated_at, now()), auto_enrolls = EXISTS (
        SELECT 1 FROM auto_enroll_sources source
        WHERE source.workspace_id = campaign.workspace_id AND source.campaign_id = campaign.id)
    WHERE (campaign.workspace_id, campaign.id) IN (SELECT workspace_id, campaign_id FROM changed);
    RETURN NULL;
  END $$`;

const STATEMENTS = [
  'ALTER TABLE campaigns ADD auto_enrolls boolean NOT NULL DEFAULT false',
  `CREATE INDEX campaigns_auto_enrolling ON campaigns (workspace_id, id) WHERE status = 'active' AND auto_enrolls`,
  `CREATE TABLE auto_enroll_sources (
     workspace_id bigint NOT NULL, campaign_id bigint NOT NULL, position smallint NOT NULL, list_id bigint, segment_id bigint,
     CONSTRAINT auto_enroll_source_once CHECK (num_nonnulls(list_id, segment_id) = 1),
     CONSTRAINT "PK_auto_enroll_sources" PRIMARY KEY (workspace_id, campaign_id, position),
     CONSTRAINT "FK_0a4475f144200db16ed6b224a13" FOREIGN KEY (workspace_id, campaign_id)
       REFERENCES campaigns (workspace_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_455338c5e64725851e1a3013d24" FOREIGN KEY (workspace_id, list_id) REFERENCES lists (workspace_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_acc3c0d7c90ee5cf9ffbc93f62f" FOREIGN KEY (workspace_id, segment_id)
       REFERENCES segments (workspace_id, id) ON DELETE CASCADE
   )`,
  'CREATE INDEX auto_enroll_sources_by_list ON auto_enroll_sources (workspace_id, list_id)',
  'CREATE INDEX auto_enroll_sources_by_segment ON auto_enroll_sources (workspace_id, segment_id)',
  FOLLOW_SOURCES,
  `CREATE TRIGGER follow_sources_by_insert AFTER INSERT ON auto_enroll_sources
   REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_auto_enroll_sources()`,
  `CREATE TRIGGER follow_sources_by_delete AFTER DELETE ON auto_enroll_sources
   REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_auto_enroll_sources()`,
  `CREATE TABLE auto_enroll_passes (
     workspace_id bigint NOT NULL, campaign_id bigint NOT NULL, request uuid NOT NULL,
     list_index smallint NOT NULL DEFAULT 0, after_created_at timestamptz(3) NOT NULL,
     after_id bigint NOT NULL DEFAULT 0, horizon bigint, is_last boolean NOT NULL DEFAULT false,
     CONSTRAINT "PK_auto_enroll_passes" PRIMARY KEY (workspace_id, campaign_id),
     CONSTRAINT "FK_7383a3f8a4fea1f8d7436f3cbfc" FOREIGN KEY (workspace_id, campaign_id)
       REFERENCES campaigns (workspace_id, id) ON DELETE CASCADE
   )`,
  `CREATE TABLE removed_enrollments (
     workspace_id bigint NOT NULL, campaign_id bigint NOT NULL, contact_id bigint NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT "PK_removed_enrollments" PRIMARY KEY (workspace_id, contact_id, campaign_id),
     CONSTRAINT "FK_f60c36ac70781c26b5647937234" FOREIGN KEY (workspace_id, campaign_id)
       REFERENCES campaigns (workspace_id, id) ON DELETE CASCADE,
     CONSTRAINT "FK_de4e88e8c49a28eaa503e53bf3c" FOREIGN KEY (workspace_id, contact_id)
       REFERENCES contacts (workspace_id, id) ON DELETE CASCADE
   )`,
  'CREATE INDEX removed_enrollments_by_campaign ON removed_enrollments (workspace_id, campaign_id)',
  // Without a foreign key: it would be checked for every row, and a row without a contact does no harm.
  `CREATE TABLE changed_contacts (
     workspace_id bigint NOT NULL, id bigint GENERATED BY DEFAULT AS IDENTITY NOT NULL, contact_id bigint,
     CONSTRAINT "PK_changed_contacts" PRIMARY KEY (workspace_id, id)
   )`,
  'CREATE INDEX changed_contacts_overflow ON changed_contacts (workspace_id, id) WHERE contact_id IS NULL',
  'ALTER TABLE changed_contacts SET (autovacuum_vacuum_scale_factor = 0.01)',
  noteChanges('note_changed_contacts', 'id', ` AND changed.status = 'active'`),
  noteChanges('note_changed_members', 'contact_id', ''),
  noteAfter('INSERT', 'contacts', 'note_changed_contacts'),
  noteAfter('UPDATE', 'contacts', 'note_changed_contacts'),
  // The other changes of members update the contact, too.
  noteAfter('DELETE', 'list_members', 'note_changed_members'),
  noteAfter('DELETE', 'tag_members', 'note_changed_members'),
];

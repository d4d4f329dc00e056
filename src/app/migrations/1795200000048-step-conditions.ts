import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Steps have conditions and required variables. Messages that lack a required variable wait for their contacts. */
export class StepConditions1795200000048 implements MigrationInterface {
  name = 'StepConditions1795200000048';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/** Whether a contact, as JSON, has no text for one of some template variables. `0` and `false` are texts. */
const HAS_EMPTY_VARIABLE = `
  CREATE FUNCTION has_empty_variable(contact jsonb, names text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT EXISTS (
      SELECT FROM unnest(names) AS variable (name)
      WHERE coalesce(CASE
        WHEN name = 'full_name' THEN concat(contact ->> 'first_name', contact ->> 'last_name')
        WHEN starts_with(name, 'custom_fields.') THEN contact -> 'custom_fields' ->> substr(name, 15)
        WHEN contact ? name AND name NOT IN ('workspace_id', 'search_text', 'custom_fields') THEN contact ->> name
        ELSE contact -> 'custom_fields' ->> name END, '') !~ '[^[:space:]]')
  $$`;

/**
 * Makes the messages due that waited for the contacts of one statement and lack nothing any more. It is a trigger because a
 * change of a contact must not cost a statement in workspaces where no message waits. The first query ends it there.
 */
const RELEASE_MESSAGES = `
  CREATE FUNCTION release_messages_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (
      SELECT FROM queued_messages message
      WHERE message.workspace_id = (SELECT changed.workspace_id FROM changed LIMIT 1) AND message.waits_for_contact
    ) THEN RETURN NULL; END IF;
    EXECUTE $sql$
      UPDATE queued_messages message SET waits_for_contact = FALSE, reason = NULL, updated_at = changed.updated_at,
        next_attempt_at = greatest(message.updated_at, changed.updated_at)
      FROM changed, campaign_steps step
      WHERE message.workspace_id = changed.workspace_id AND message.contact_id = changed.id AND message.waits_for_contact
        AND step.workspace_id = message.workspace_id AND step.id = message.step_id
        AND NOT has_empty_variable(to_jsonb(changed), step.required_variables)
    $sql$;
    RETURN NULL;
  END $$`;

const STATEMENTS = [
  `ALTER TABLE campaign_steps ADD only_if text, ADD required_variables text[] NOT NULL DEFAULT '{}',
     ADD CONSTRAINT step_condition_known CHECK (only_if IN ('opened', 'not_opened', 'clicked', 'not_clicked'))`,
  'ALTER TABLE queued_messages ADD waits_for_contact boolean NOT NULL DEFAULT FALSE',
  'CREATE INDEX queued_messages_by_contact ON queued_messages (workspace_id, contact_id) WHERE waits_for_contact',
  HAS_EMPTY_VARIABLE,
  RELEASE_MESSAGES,
  `CREATE TRIGGER release_messages_of_changed AFTER UPDATE ON contacts
   REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION release_messages_of_changed()`,
];

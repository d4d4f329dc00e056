// The next version of the module: it changes its table, counts its rows, and replaces a function of the service by that for one server.
import { defineExtension } from 'outreach/extension';
import { CreateNotes1790000000001, module } from './first.mjs';

class CountNotes1790000000002 {
  name = 'CountNotes1790000000002';

  async up(queryRunner) {
    await queryRunner.query('ALTER TABLE notes_notes ADD COLUMN remind_at timestamptz(3)');
    await queryRunner.query(
      `CREATE TRIGGER notes_notes_counted AFTER INSERT ON notes_notes REFERENCING NEW TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts()`,
    );
    await queryRunner.query(
      `CREATE OR REPLACE FUNCTION count_contact_changes() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO record_counts (workspace_id, counted, owner_id, total)
         SELECT DISTINCT workspace_id, 'contact_changes', 0, 1 FROM changed;
         RETURN NULL;
       END $$`,
    );
  }
}

export default defineExtension({
  name: 'notes',
  module,
  migrations: [CreateNotes1790000000001, CountNotes1790000000002],
});

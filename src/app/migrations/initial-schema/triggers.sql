CREATE TRIGGER count_changes_by_delete AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER count_changes_by_delete AFTER DELETE ON list_members
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER count_changes_by_delete AFTER DELETE ON tag_members
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER count_changes_by_insert AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER count_changes_by_insert AFTER INSERT ON list_members
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER count_changes_by_insert AFTER INSERT ON tag_members
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER count_changes_by_update AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes();

CREATE TRIGGER follow_sources_by_delete AFTER DELETE ON auto_enroll_sources
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_auto_enroll_sources();

CREATE TRIGGER follow_sources_by_insert AFTER INSERT ON auto_enroll_sources
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_auto_enroll_sources();

CREATE TRIGGER follow_tracking_domain_owner AFTER INSERT OR UPDATE OF tracking_domain, tracking_domain_verified_at ON workspaces
  FOR EACH ROW
  WHEN (((new.tracking_domain IS NOT NULL) AND (new.tracking_domain_verified_at IS NOT NULL))) EXECUTE FUNCTION follow_tracking_domain_owner();

CREATE TRIGGER insert_ordered_values AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION insert_ordered_values();

CREATE TRIGGER keep_mailbox_reading_of_activated AFTER UPDATE OF is_active ON email_accounts
  FOR EACH ROW
  WHEN (new.is_active) EXECUTE FUNCTION keep_mailbox_reading();

CREATE TRIGGER keep_mailbox_reading_of_changed AFTER UPDATE OF imap_host, imap_port, imap_encryption, imap_username, smtp_username ON email_accounts
  FOR EACH ROW EXECUTE FUNCTION keep_mailbox_reading();

CREATE TRIGGER keep_mailbox_reading_of_new AFTER INSERT ON email_accounts
  FOR EACH ROW EXECUTE FUNCTION keep_mailbox_reading();

CREATE TRIGGER note_changes_by_delete AFTER DELETE ON list_members
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_members();

CREATE TRIGGER note_changes_by_delete AFTER DELETE ON tag_members
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_members();

CREATE TRIGGER note_changes_by_insert AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_contacts();

CREATE TRIGGER note_changes_by_update AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_contacts();

CREATE TRIGGER release_messages_of_changed AFTER UPDATE ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION release_messages_of_changed();

CREATE TRIGGER update_ordered_values AFTER UPDATE ON contacts
  REFERENCING OLD TABLE AS before NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_ordered_values();

CREATE TRIGGER update_record_counts_on_delete AFTER DELETE ON contacts
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts();

CREATE TRIGGER update_record_counts_on_delete AFTER DELETE ON enrollments
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts('campaign_id');

CREATE TRIGGER update_record_counts_on_delete AFTER DELETE ON list_members
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts('list_id');

CREATE TRIGGER update_record_counts_on_delete AFTER DELETE ON replies
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts();

CREATE TRIGGER update_record_counts_on_delete AFTER DELETE ON tag_members
  REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts('tag_id');

CREATE TRIGGER update_record_counts_on_insert AFTER INSERT ON contacts
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts();

CREATE TRIGGER update_record_counts_on_insert AFTER INSERT ON enrollments
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts('campaign_id');

CREATE TRIGGER update_record_counts_on_insert AFTER INSERT ON list_members
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts('list_id');

CREATE TRIGGER update_record_counts_on_insert AFTER INSERT ON replies
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts();

CREATE TRIGGER update_record_counts_on_insert AFTER INSERT ON tag_members
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION update_record_counts('tag_id');

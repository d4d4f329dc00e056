ALTER TABLE absences ADD CONSTRAINT absences_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE api_tokens ADD CONSTRAINT api_tokens_created_by_fkey
  FOREIGN KEY (workspace_id, created_by) REFERENCES api_tokens(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE auto_enroll_passes ADD CONSTRAINT auto_enroll_passes_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE auto_enroll_sources ADD CONSTRAINT auto_enroll_sources_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE auto_enroll_sources ADD CONSTRAINT auto_enroll_sources_list_id_fkey
  FOREIGN KEY (workspace_id, list_id) REFERENCES lists(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE auto_enroll_sources ADD CONSTRAINT auto_enroll_sources_segment_id_fkey
  FOREIGN KEY (workspace_id, segment_id) REFERENCES segments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE campaign_accounts ADD CONSTRAINT campaign_accounts_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE campaign_accounts ADD CONSTRAINT campaign_accounts_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE campaign_rates ADD CONSTRAINT campaign_rates_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE campaign_steps ADD CONSTRAINT campaign_steps_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE campaign_steps ADD CONSTRAINT campaign_steps_template_id_fkey
  FOREIGN KEY (workspace_id, template_id) REFERENCES templates(workspace_id, id);
ALTER TABLE contact_changes ADD CONSTRAINT contact_changes_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE contacts ADD CONSTRAINT contacts_company_id_fkey
  FOREIGN KEY (workspace_id, company_id) REFERENCES companies(workspace_id, id);
ALTER TABLE domain_checks ADD CONSTRAINT domain_checks_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE due_steps ADD CONSTRAINT due_steps_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE email_account_days ADD CONSTRAINT email_account_days_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE enrollment_changes ADD CONSTRAINT enrollment_changes_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE enrollments ADD CONSTRAINT enrollments_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE enrollments ADD CONSTRAINT enrollments_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE enrollments ADD CONSTRAINT enrollments_current_step_id_fkey
  FOREIGN KEY (workspace_id, current_step_id) REFERENCES campaign_steps(workspace_id, id);
ALTER TABLE enrollments ADD CONSTRAINT enrollments_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id);
ALTER TABLE failed_mails ADD CONSTRAINT failed_mails_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE former_emails ADD CONSTRAINT former_emails_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE import_file_parts ADD CONSTRAINT import_file_parts_import_id_fkey
  FOREIGN KEY (workspace_id, import_id) REFERENCES imports(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE import_refused_rows ADD CONSTRAINT import_refused_rows_import_id_fkey
  FOREIGN KEY (workspace_id, import_id) REFERENCES imports(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE list_members ADD CONSTRAINT list_members_list_id_fkey
  FOREIGN KEY (workspace_id, list_id) REFERENCES lists(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE list_members ADD CONSTRAINT list_members_contact_created_at_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_created_at, contact_id) REFERENCES contacts(workspace_id, created_at, id) ON DELETE CASCADE;
ALTER TABLE mailbox_cursors ADD CONSTRAINT mailbox_cursors_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE mailbox_readings ADD CONSTRAINT mailbox_readings_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE marketplace_pack_templates ADD CONSTRAINT marketplace_pack_templates_pack_id_fkey
  FOREIGN KEY (pack_id) REFERENCES marketplace_packs(id) ON DELETE CASCADE;
ALTER TABLE marketplace_pack_templates ADD CONSTRAINT marketplace_pack_templates_template_id_fkey
  FOREIGN KEY (template_id) REFERENCES marketplace_templates(id) ON DELETE CASCADE;
ALTER TABLE message_contents ADD CONSTRAINT message_contents_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE messages ADD CONSTRAINT messages_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE new_contact_counts ADD CONSTRAINT new_contact_counts_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE oauth_grants ADD CONSTRAINT oauth_grants_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE ordered_values ADD CONSTRAINT ordered_values_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE ordered_values ADD CONSTRAINT ordered_values_custom_field_id_fkey
  FOREIGN KEY (workspace_id, custom_field_id) REFERENCES custom_fields(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE queued_messages ADD CONSTRAINT queued_messages_email_account_id_fkey
  FOREIGN KEY (workspace_id, email_account_id) REFERENCES email_accounts(workspace_id, id);
ALTER TABLE queued_messages ADD CONSTRAINT queued_messages_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE queued_messages ADD CONSTRAINT queued_messages_step_id_fkey
  FOREIGN KEY (workspace_id, step_id) REFERENCES campaign_steps(workspace_id, id);
ALTER TABLE removed_enrollments ADD CONSTRAINT removed_enrollments_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE removed_enrollments ADD CONSTRAINT removed_enrollments_campaign_id_fkey
  FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE replies ADD CONSTRAINT replies_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE sandbox_reactions ADD CONSTRAINT sandbox_reactions_sandbox_message_id_fkey
  FOREIGN KEY (workspace_id, sandbox_message_id) REFERENCES sandbox_messages(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE segment_counts ADD CONSTRAINT segment_counts_segment_id_fkey
  FOREIGN KEY (workspace_id, segment_id) REFERENCES segments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE step_variants ADD CONSTRAINT step_variants_step_id_fkey
  FOREIGN KEY (workspace_id, step_id) REFERENCES campaign_steps(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE tag_members ADD CONSTRAINT tag_members_contact_created_at_contact_id_fkey
  FOREIGN KEY (workspace_id, contact_created_at, contact_id) REFERENCES contacts(workspace_id, created_at, id) ON DELETE CASCADE;
ALTER TABLE tag_members ADD CONSTRAINT tag_members_tag_id_fkey
  FOREIGN KEY (workspace_id, tag_id) REFERENCES tags(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE tracking_events ADD CONSTRAINT tracking_events_enrollment_id_fkey
  FOREIGN KEY (workspace_id, enrollment_id) REFERENCES enrollments(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_webhook_id_fkey
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks(workspace_id, id) ON DELETE CASCADE;
ALTER TABLE webhook_log_counts ADD CONSTRAINT webhook_log_counts_webhook_id_fkey
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks(workspace_id, id) ON DELETE CASCADE;

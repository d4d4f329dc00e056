// Generated from docs/openapi.json by npm run generate.
export interface components {
  schemas: {
    AddContacts: {
      contact_ids: number[];
    };
    AddressesBlacklisted: {
      added: number;
      skipped: number;
    };
    AddressesRemoved: {
      deleted: number;
      not_found: number;
    };
    ApiToken: {
      id: number;
      name: string;
      permissions: (
        | 'contacts:read'
        | 'contacts:write'
        | 'segments:read'
        | 'segments:write'
        | 'templates:read'
        | 'templates:write'
        | 'email_accounts:read'
        | 'email_accounts:write'
        | 'campaigns:read'
        | 'campaigns:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'blacklist:read'
        | 'blacklist:write'
        | 'tokens:read'
        | 'tokens:write'
      )[];
      /** Format: date-time */
      expires_at: string | null;
      /** Format: date-time */
      last_used_at: string | null;
      /** Format: date-time */
      created_at: string;
    };
    AuthenticationError: {
      /**
       * @description The kind of error, for programs.
       * @enum {string}
       */
      error: 'Unauthorized' | 'Forbidden';
      /** @description For people; the wording may change. */
      message: string;
    };
    BlacklistAddress: {
      /** Format: email */
      email: string;
      /** @description `null` means no value. */
      reason?: components['schemas']['BlacklistReason'] | null;
      readonly id?: number;
      /** Format: date-time */
      readonly created_at?: string;
    };
    BlacklistAddresses: {
      /** @description `null` means no value. */
      reason?: components['schemas']['BlacklistReason'] | null;
      emails: string[];
    };
    BlacklistCheck: {
      email: string;
      is_blacklisted: boolean;
      reason: components['schemas']['BlacklistReason'] | null;
      /** Format: date-time */
      blacklisted_at: string | null;
    };
    BlacklistEntry: {
      id: number;
      email: string;
      reason: components['schemas']['BlacklistReason'];
      /** Format: date-time */
      created_at: string;
    };
    /**
     * @description Why an address is on the blacklist (API v1, "Blacklist entry").
     * @enum {string}
     */
    BlacklistReason: 'bounce' | 'complaint' | 'manual' | 'unsubscribe';
    BlacklistReasonLabel: {
      value: components['schemas']['BlacklistReason'];
      label: string;
    };
    Bounce: {
      /** @enum {string} */
      type: 'hard' | 'soft';
      code: string | null;
      message: string;
    };
    Campaign: {
      id: number;
      name: string;
      description: string | null;
      status: components['schemas']['CampaignStatus'];
      email_account_ids: number[];
      schedule: components['schemas']['CampaignSchedule'] | null;
      track_opens: boolean;
      track_clicks: boolean;
      stop_on_reply: boolean;
      unsubscribe_footer: boolean;
      on_unknown: components['schemas']['UnknownPolicy'];
      steps_count: number;
      contacts_count: number;
      /** Format: date-time */
      started_at: string | null;
      /** Format: date-time */
      paused_at: string | null;
      pause_reason: components['schemas']['PauseReason'] | null;
      /** Format: date-time */
      completed_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    CampaignCompletedEvent: {
      /** @constant */
      event: 'campaign.completed';
      workspace_id: number;
      data: components['schemas']['Campaign'];
    };
    CampaignPausedEvent: {
      /** @constant */
      event: 'campaign.paused';
      workspace_id: number;
      data: components['schemas']['Campaign'];
    };
    CampaignSchedule: {
      timezone: string;
      days: number[];
      start: string;
      end: string;
    };
    CampaignStartedEvent: {
      /** @constant */
      event: 'campaign.started';
      workspace_id: number;
      data: components['schemas']['Campaign'];
    };
    CampaignStats: {
      enrollments: components['schemas']['EnrollmentCounts'];
      messages: components['schemas']['MessageCounts'];
      steps: components['schemas']['StepCounts'][];
    };
    /**
     * @description The statuses of a campaign (API v1, "Campaign status").
     * @enum {string}
     */
    CampaignStatus: 'draft' | 'active' | 'paused' | 'completed';
    CheckAddress: {
      /** Format: email */
      email: string;
    };
    Company: {
      id: number;
      name: string;
      domain: string | null;
      website: string | null;
      industry: string | null;
      contacts_count: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    Condition: {
      field: string;
      operator: components['schemas']['Operator'];
      /** @description `null` means no value. */
      value?: string | null;
      /** @description `null` means no value. */
      connector?: components['schemas']['Connector'] | null;
    };
    ConnectionTest: {
      success: boolean;
      message: string;
    };
    /**
     * @description The connectors of conditions.
     * @enum {string}
     */
    Connector: 'and' | 'or';
    Contact: {
      id: number;
      email: string;
      first_name: string | null;
      last_name: string | null;
      full_name: string | null;
      company: string | null;
      company_id: number | null;
      phone: string | null;
      job_title: string | null;
      linkedin_url: string | null;
      timezone: string | null;
      lifecycle_stage: components['schemas']['LifecycleStage'];
      status: components['schemas']['ContactStatus'];
      custom_fields: {
        [key: string]: string | number | boolean;
      };
      /** Format: date-time */
      subscribed_at: string | null;
      /** Format: date-time */
      unsubscribed_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      tags: components['schemas']['Tag'][];
      lists: components['schemas']['ContactList'][];
    };
    ContactCreatedEvent: {
      /** @constant */
      event: 'contact.created';
      workspace_id: number;
      data: components['schemas']['Contact'];
    };
    ContactDeletedEvent: {
      /** @constant */
      event: 'contact.deleted';
      workspace_id: number;
      data: components['schemas']['Contact'];
    };
    ContactList: {
      id: number;
      name: string;
      description: string | null;
      contacts_count?: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    ContactListReference: {
      id: number;
      name?: string;
      description?: string | null;
      contacts_count?: number;
      /** Format: date-time */
      created_at?: string;
      /** Format: date-time */
      updated_at?: string;
    };
    /**
     * @description The statuses of a contact. The service sends to `active` contacts only.
     * @enum {string}
     */
    ContactStatus: 'active' | 'unsubscribed' | 'bounced' | 'complained';
    ContactUpdatedEvent: {
      /** @constant */
      event: 'contact.updated';
      workspace_id: number;
      data: components['schemas']['Contact'];
    };
    CopyTemplate: {
      /** @description The name of the copy; by default that of the original. `null` means no value. */
      name?: string | null;
      readonly id?: number;
      readonly unknown_variables?: string[];
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateCampaign: {
      name: string;
      /** @description `null` means `[]`. */
      steps?: components['schemas']['CreateStep'][] | null;
      /** @description `null` means no value. */
      description?: string | null;
      /** @description The email accounts that send, in rotation. An account that is named twice counts once. `null` means `[]`. */
      email_account_ids?: number[] | null;
      schedule?: components['schemas']['Schedule'] | null;
      /** @description `null` means `true`. */
      track_opens?: boolean | null;
      /** @description `null` means `true`. */
      track_clicks?: boolean | null;
      /** @description `null` means `true`. */
      stop_on_reply?: boolean | null;
      /** @description `null` means `true`. */
      unsubscribe_footer?: boolean | null;
      /** @description `null` means `resend`. */
      on_unknown?: components['schemas']['UnknownPolicy'] | null;
      readonly id?: number;
      readonly status?: components['schemas']['CampaignStatus'];
      readonly steps_count?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly started_at?: string | null;
      /** Format: date-time */
      readonly paused_at?: string | null;
      readonly pause_reason?: components['schemas']['PauseReason'] | null;
      /** Format: date-time */
      readonly completed_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateCompany: {
      name: string;
      /**
       * Format: idn-hostname
       * @description `null` means no value.
       */
      domain?: string | null;
      /**
       * Format: uri
       * @description `null` means no value.
       */
      website?: string | null;
      /** @description `null` means no value. */
      industry?: string | null;
      readonly id?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateContact: {
      /** Format: email */
      email: string;
      /** @description `null` means no value. */
      first_name?: string | null;
      /** @description `null` means no value. */
      last_name?: string | null;
      /** @description `null` means no value. */
      company?: string | null;
      /** @description `null` means no value. */
      company_id?: number | null;
      /** @description `null` means no value. */
      phone?: string | null;
      /** @description `null` means no value. */
      job_title?: string | null;
      /** @description `null` means no value. */
      linkedin_url?: string | null;
      /**
       * @description `null` means no value.
       * @example Europe/Paris
       */
      timezone?: string | null;
      /** @description `null` means `subscriber`. */
      lifecycle_stage?: components['schemas']['LifecycleStage'] | null;
      /** @description `null` means no value. */
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      /** @description IDs of tags. An update replaces all tags of the contact. `null` means no value. */
      tags?: (number | components['schemas']['TagReference'])[] | null;
      /** @description IDs of lists. An update replaces all lists of the contact. `null` means no value. */
      lists?: (number | components['schemas']['ContactListReference'])[] | null;
      readonly id?: number;
      readonly full_name?: string | null;
      readonly status?: components['schemas']['ContactStatus'];
      /** Format: date-time */
      readonly subscribed_at?: string | null;
      /** Format: date-time */
      readonly unsubscribed_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateCustomField: {
      key: string;
      /** @description Defaults to the key. `null` means no value. */
      label?: string | null;
      type: components['schemas']['CustomFieldType'];
      readonly id?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateEmailAccount: {
      name: string;
      /** @enum {string} */
      type: 'smtp' | 'sendgrid';
      /** Format: email */
      from_email: string;
      from_name: string;
      /**
       * @description `null` means `500`.
       * @default 500
       */
      daily_limit: number | null;
      /**
       * @description `null` means `true`.
       * @default true
       */
      is_active: boolean | null;
      /** @description Whether it is required depends on `type`. */
      smtp_host?: string;
      /**
       * @description Whether it is required depends on `type`.
       * @enum {integer}
       */
      smtp_port?: 25 | 465 | 587 | 993 | 995 | 2525;
      /** @description Whether it is required depends on `type`. */
      smtp_username?: string;
      /** @description Whether it is required depends on `type`. */
      smtp_password?: string;
      /** @default tls */
      smtp_encryption: components['schemas']['SmtpEncryption'] | null;
      /** @description Whether it is required depends on `type`. */
      sendgrid_api_key?: string;
      /** @description `null` means no value. */
      sendgrid_webhook_key?: string | null;
      readonly id?: number;
      readonly is_default?: boolean;
      readonly sent_today?: number;
      /** Format: date-time */
      readonly last_used_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateList: {
      name: string;
      /** @description `null` means no value. */
      description?: string | null;
      readonly id?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateSegment: {
      name: string;
      /** @description `null` means no value. */
      description?: string | null;
      match_type: components['schemas']['MatchType'];
      conditions: components['schemas']['Condition'][];
      readonly id?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly contacts_counted_at?: string;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateStep: {
      /** @description Whether it is required depends on `template_id`. */
      subject?: string;
      /** @description Whether it is required depends on `template_id`. */
      body?: string;
      /** @description From 1. A position after the end means the end. `null` means no value. */
      position?: number | null;
      /** @description `null` means no value. */
      template_id?: number | null;
      /** @description `null` means `0`. */
      delay_minutes?: number | null;
      /** @description `null` means `false`. */
      same_thread?: boolean | null;
      readonly id?: number;
      readonly campaign_id?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateTag: {
      name: string;
      /** @description `null` means no value. */
      color?: string | null;
      readonly id?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateTemplate: {
      name: string;
      subject: string;
      /** @description At most 256 KB, with at most 500 variables. */
      body: string;
      /** @description `null` means `other`. */
      category?: components['schemas']['TemplateCategory'] | null;
      /** @description `null` means `[]`. */
      variables?: string[] | null;
      /** @description `null` means `false`. */
      is_library?: boolean | null;
      readonly id?: number;
      readonly unknown_variables?: string[];
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateToken: {
      name: string;
      permissions: (
        | 'contacts:read'
        | 'contacts:write'
        | 'segments:read'
        | 'segments:write'
        | 'templates:read'
        | 'templates:write'
        | 'email_accounts:read'
        | 'email_accounts:write'
        | 'campaigns:read'
        | 'campaigns:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'blacklist:read'
        | 'blacklist:write'
        | 'tokens:read'
        | 'tokens:write'
      )[];
      /**
       * Format: date-time
       * @description `null` means no value.
       */
      expires_at?: string | null;
      readonly id?: number;
      /** Format: date-time */
      readonly last_used_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      readonly token?: string;
    };
    CreateWebhook: {
      /** Format: uri */
      url: string;
      events: (
        | 'campaign.completed'
        | 'campaign.paused'
        | 'campaign.started'
        | 'contact.created'
        | 'contact.deleted'
        | 'contact.updated'
        | 'email.bounced'
        | 'email.clicked'
        | 'email.complained'
        | 'email.delivered'
        | 'email.opened'
        | 'email.sent'
        | 'email.unsubscribed'
        | 'webhook.disabled'
      )[];
      /**
       * @description `null` means `true`.
       * @default true
       */
      is_active: boolean | null;
      readonly id?: number;
      /** Format: date-time */
      readonly last_triggered_at?: string | null;
      readonly failure_count?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
      readonly secret?: string;
    };
    CurrentToken: {
      id: number;
      name: string;
      permissions: (
        | 'contacts:read'
        | 'contacts:write'
        | 'segments:read'
        | 'segments:write'
        | 'templates:read'
        | 'templates:write'
        | 'email_accounts:read'
        | 'email_accounts:write'
        | 'campaigns:read'
        | 'campaigns:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'blacklist:read'
        | 'blacklist:write'
        | 'tokens:read'
        | 'tokens:write'
      )[];
      /** Format: date-time */
      expires_at: string | null;
    };
    CustomField: {
      id: number;
      key: string;
      label: string;
      type: components['schemas']['CustomFieldType'];
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description The types of custom fields (API v1, "Contact").
     * @enum {string}
     */
    CustomFieldType: 'text' | 'number' | 'boolean' | 'date';
    DuplicateTemplate: {
      /** @description The name of the copy; the default is the name of the original followed by " (Copy)". `null` means no value. */
      name?: string | null;
      readonly id?: number;
      readonly unknown_variables?: string[];
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    EmailAccount: {
      id: number;
      name: string;
      from_email: string;
      from_name: string;
      type: components['schemas']['EmailAccountType'];
      is_default: boolean;
      is_active: boolean;
      daily_limit: number;
      sent_today: number;
      /** Format: date-time */
      last_used_at: string | null;
      smtp_host: string | null;
      smtp_port: number | null;
      smtp_encryption: components['schemas']['SmtpEncryption'] | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    EmailAccountStats: {
      sent_today: number;
      daily_limit: number;
      remaining_today: number;
      can_send_today: boolean;
      total_sent: number;
      sent_last_7_days: number;
      sent_last_30_days: number;
      /** Format: date-time */
      last_used_at: string | null;
    };
    /** @enum {string} */
    EmailAccountType: 'smtp' | 'sendgrid' | 'google' | 'microsoft';
    EmailBounced: {
      message_id: string | null;
      campaign_id: number | null;
      step_id: number | null;
      enrollment_id: number | null;
      contact_id: number;
      email: string;
      email_account_id: number | null;
      subject: string | null;
      /** Format: date-time */
      occurred_at: string;
      bounce: components['schemas']['Bounce'];
    };
    EmailBouncedEvent: {
      /** @constant */
      event: 'email.bounced';
      workspace_id: number;
      data: components['schemas']['EmailBounced'];
    };
    EmailClicked: {
      message_id: string | null;
      campaign_id: number | null;
      step_id: number | null;
      enrollment_id: number | null;
      contact_id: number;
      email: string;
      email_account_id: number | null;
      subject: string | null;
      /** Format: date-time */
      occurred_at: string;
      url: string;
    };
    EmailClickedEvent: {
      /** @constant */
      event: 'email.clicked';
      workspace_id: number;
      data: components['schemas']['EmailClicked'];
    };
    EmailComplainedEvent: {
      /** @constant */
      event: 'email.complained';
      workspace_id: number;
      data: components['schemas']['EmailEvent'];
    };
    EmailDeliveredEvent: {
      /** @constant */
      event: 'email.delivered';
      workspace_id: number;
      data: components['schemas']['EmailEvent'];
    };
    EmailEvent: {
      message_id: string | null;
      campaign_id: number | null;
      step_id: number | null;
      enrollment_id: number | null;
      contact_id: number;
      email: string;
      email_account_id: number | null;
      subject: string | null;
      /** Format: date-time */
      occurred_at: string;
    };
    EmailOpenedEvent: {
      /** @constant */
      event: 'email.opened';
      workspace_id: number;
      data: components['schemas']['EmailEvent'];
    };
    EmailSentEvent: {
      /** @constant */
      event: 'email.sent';
      workspace_id: number;
      data: components['schemas']['EmailEvent'];
    };
    EmailUnsubscribedEvent: {
      /** @constant */
      event: 'email.unsubscribed';
      workspace_id: number;
      data: components['schemas']['EmailEvent'];
    };
    EnrollContacts: {
      contact_ids: number[];
    };
    EnrolledContacts: {
      message: string;
      enrolled: number;
      skipped: number;
    };
    EnrollFromLists: {
      /** @description `null` means `[]`. */
      list_ids?: number[] | null;
      /** @description `null` means `[]`. */
      segment_ids?: number[] | null;
    };
    Enrollment: {
      id: number;
      campaign_id: number;
      contact_id: number;
      current_step_id: number | null;
      status: components['schemas']['EnrollmentStatus'];
      /** Format: date-time */
      completed_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      contact: components['schemas']['Contact'];
      current_step: components['schemas']['Step'] | null;
    };
    EnrollmentCounts: {
      pending: number;
      in_progress: number;
      completed: number;
      failed: number;
      unsubscribed: number;
    };
    /**
     * @description The statuses of an enrollment (API v1, "Enrollment status").
     * @enum {string}
     */
    EnrollmentStatus: 'pending' | 'in_progress' | 'completed' | 'failed' | 'unsubscribed';
    ErrorResponse: {
      /**
       * @description The kind of error, for programs.
       * @enum {string}
       */
      error:
        | 'ValidationError'
        | 'Forbidden'
        | 'HttpError'
        | 'TooManyRequests'
        | 'ServiceUnavailable'
        | 'InternalServerError';
      /** @description For people; the wording may change. */
      message: string;
      /** @description Of a ValidationError: the path of each invalid field, as the client wrote it → messages. */
      errors: {
        [key: string]: string[];
      } | null;
      /** @description The HTTP status. */
      code: number;
    };
    Import: {
      id: number;
      status: components['schemas']['ImportStatus'];
      /** @description The name of the file as the client sent it. */
      file_name: string | null;
      /** @description Whether nothing is stored. */
      dry_run: boolean;
      /** @description The part that is done. */
      progress: number;
      /** @description The rows of the file: the sum of the other four. It is 0 until the import has ended. */
      total: number;
      /** @description Created contacts. */
      imported: number;
      /** @description Rows that updated a contact. It is 0 with `skip_duplicates`. */
      updated: number;
      /** @description Rows whose contact existed, or was in an earlier row. */
      skipped: number;
      /** @description Rows with errors, which are not imported. */
      failed: number;
      /** @description The errors of the first 100 refused rows. `GET /imports/{id}/refused` has all. */
      errors: components['schemas']['ImportRowError'][];
      /** @description Why the import failed as a whole. */
      reason: string | null;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description When a worker began it.
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description When it ended: completed, failed or cancelled.
       */
      completed_at: string | null;
    };
    ImportContacts: {
      /**
       * Format: binary
       * @description At most 10 MB.
       */
      file: string;
      /** @description The column of the file for each field of a contact or `custom_fields.<key>`: form fields such as `mapping[email]`, or one form field `mapping` with a JSON object. Without it, columns that are named like a field are used. */
      mapping?: {
        [key: string]: string;
      };
      /**
       * @description Whether existing contacts are left alone. With `false`, the filled cells of the file update them.
       * @default true
       */
      skip_duplicates: boolean;
      /** @description IDs of the lists that the contact of every valid row joins. */
      'lists[]'?: number[];
      /** @description IDs of the tags that the contact of every valid row gets. */
      'tags[]'?: number[];
      /**
       * @description Whether the file is only checked: the response is that of the import, and nothing is stored.
       * @default false
       */
      dry_run: boolean;
    };
    ImportRowError: {
      /** @description The number of the record; the header is 1. */
      row: number;
      /** @description The field of the contact; `row` if the row has more cells than the header. */
      field: string;
      /** @description The name of the column in the file; null if the error is not about a single cell. */
      column: string | null;
      /** @description The first 100 characters of the cell; null if the error is not about a single cell. */
      value: string | null;
      /** @description What is wrong, and what would be right. */
      message: string;
    };
    /**
     * @description The status of an import.
     *
     *     - `pending`: It waits for a worker.
     *     - `running`: A worker imports it.
     *     - `completed`: It was imported; rows with errors are left out.
     *     - `failed`: Nothing was imported; `reason` says why.
     *     - `cancelled`: Nothing was imported, by request.
     * @enum {string}
     */
    ImportStatus: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
    ImportSummary: {
      /** @description The ID of the import, for `GET /imports/{id}` and `GET /imports/{id}/refused`. */
      import_id: number;
      /** @description The rows of the file: the sum of the other four. It is 0 until the import has ended. */
      total: number;
      /** @description Created contacts. */
      imported: number;
      /** @description Rows that updated a contact. It is 0 with `skip_duplicates`. */
      updated: number;
      /** @description Rows whose contact existed, or was in an earlier row. */
      skipped: number;
      /** @description Rows with errors, which are not imported. */
      failed: number;
      /** @description The errors of the first 100 refused rows. `GET /imports/{id}/refused` has all. */
      errors: components['schemas']['ImportRowError'][];
    };
    InboundAddresses: {
      key: string;
      sendgrid_url: string;
      mail_url: string;
    };
    /**
     * @description The lifecycle stages of a contact (API v1, "Contact").
     * @enum {string}
     */
    LifecycleStage:
      | 'subscriber'
      | 'lead'
      | 'marketing_qualified_lead'
      | 'sales_qualified_lead'
      | 'opportunity'
      | 'customer'
      | 'evangelist'
      | 'other';
    /**
     * @description The languages of marketplace records.
     * @enum {string}
     */
    Locale: 'fr' | 'en';
    MarketplacePack: {
      id: number;
      slug: string;
      name: string;
      description: string;
      locale: components['schemas']['Locale'];
      is_featured: boolean;
      downloads_count: number;
      templates_count: number;
      templates: components['schemas']['MarketplaceTemplate'][];
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    MarketplaceTemplate: {
      id: number;
      slug: string;
      name: string;
      description: string;
      category: components['schemas']['TemplateCategory'];
      locale: components['schemas']['Locale'];
      subject: string;
      body: string;
      variables: string[];
      is_featured: boolean;
      is_published: boolean;
      downloads_count: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description The match types of a segment.
     * @enum {string}
     */
    MatchType: 'all' | 'any';
    Me: {
      workspace: components['schemas']['Workspace'];
      token: components['schemas']['CurrentToken'];
      limits: components['schemas']['WorkspaceLimits'];
    };
    MembersAdded: {
      added: number;
      skipped: number;
    };
    MembersRemoved: {
      removed: number;
      not_found: number;
    };
    Message: {
      id: number;
      campaign_id: number;
      enrollment_id: number;
      contact_id: number;
      email: string;
      step_id: number | null;
      email_account_id: number | null;
      subject: string | null;
      status: components['schemas']['MessageStatus'];
      message_id: string | null;
      attempts: number;
      reason: string | null;
      /** Format: date-time */
      sent_at: string | null;
      /** Format: date-time */
      opened_at: string | null;
      /** Format: date-time */
      clicked_at: string | null;
      /** Format: date-time */
      replied_at: string | null;
      /** Format: date-time */
      bounced_at: string | null;
      /** Format: date-time */
      created_at: string;
    };
    MessageCounts: {
      queued: number;
      sent: number;
      delivered: number;
      opened: number;
      clicked: number;
      replied: number;
      bounced: number;
      complained: number;
      unsubscribed: number;
      failed: number;
      unknown: number;
      open_rate: number;
      click_rate: number;
      reply_rate: number;
      bounce_rate: number;
    };
    /**
     * @description The statuses of a message.
     * @enum {string}
     */
    MessageStatus:
      'queued' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled' | 'unknown';
    NewApiToken: {
      id: number;
      name: string;
      permissions: (
        | 'contacts:read'
        | 'contacts:write'
        | 'segments:read'
        | 'segments:write'
        | 'templates:read'
        | 'templates:write'
        | 'email_accounts:read'
        | 'email_accounts:write'
        | 'campaigns:read'
        | 'campaigns:write'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'blacklist:read'
        | 'blacklist:write'
        | 'tokens:read'
        | 'tokens:write'
      )[];
      /** Format: date-time */
      expires_at: string | null;
      /** Format: date-time */
      last_used_at: string | null;
      /** Format: date-time */
      created_at: string;
      token: string;
    };
    /**
     * @description The operators of conditions (API v1, "Segment").
     * @enum {string}
     */
    Operator:
      | 'equals'
      | 'not_equals'
      | 'contains'
      | 'not_contains'
      | 'starts_with'
      | 'ends_with'
      | 'is_empty'
      | 'is_not_empty'
      | 'greater_than'
      | 'less_than';
    /** @description Absolute URLs of other pages, with the filters of this one. */
    PageLinks: {
      /**
       * Format: uri
       * @description The first page.
       */
      first: string;
      /**
       * Format: uri
       * @description The last page.
       */
      last: string;
      /**
       * Format: uri
       * @description The previous page; null on the first one.
       */
      prev: string | null;
      /**
       * Format: uri
       * @description The next page; null on the last one.
       */
      next: string | null;
    };
    PageMeta: {
      /** @description The number of this page, from 1. */
      current_page: number;
      /** @description The number of the last page. */
      last_page: number;
      /** @description The largest number of records on a page. */
      per_page: number;
      /** @description The number of records on all pages. */
      total: number;
      /** @description The number of records on this page. */
      count: number;
    };
    /**
     * @description Why a campaign was paused, if not by request.
     * @enum {string}
     */
    PauseReason: 'account_deleted';
    PreviewTemplate: {
      /** @description `null` means no value. */
      contact_id?: number | null;
      /** @description They take precedence over the fields of the contact. `null` means no value. */
      variables?:
        | ({
            sender?:
              | ({
                  name?: string | number | boolean | null;
                  email?: string | number | boolean | null;
                } & {
                  [key: string]: string | number | boolean | null;
                })
              | null;
          } & {
            [key: string]: string | number | boolean | null;
          })
        | null;
    };
    Redelivery: {
      /** Format: uuid */
      delivery_id: string;
    };
    RemoveAddresses: {
      emails: string[];
    };
    RemoveContacts: {
      contact_ids: number[];
    };
    ReportReceipt: {
      matched: number;
    };
    RetriedMessages: {
      count: number;
    };
    /**
     * @description The statuses of messages that users may retry.
     * @enum {string}
     */
    RetryableStatus: 'failed' | 'unknown';
    RetryMessages: {
      /** @description The messages with this status are queued again. */
      status: components['schemas']['RetryableStatus'];
    };
    Schedule: {
      /** @example Europe/Paris */
      timezone: string;
      /** @description 1 is Monday, 7 is Sunday. */
      days: number[];
      /** @description `HH:MM`, inclusive. */
      start: string;
      /** @description `HH:MM`, exclusive; later than `start`. */
      end: string;
    };
    Segment: {
      id: number;
      name: string;
      description: string | null;
      match_type: components['schemas']['MatchType'];
      conditions: components['schemas']['SegmentCondition'][];
      contacts_count: number;
      /** Format: date-time */
      contacts_counted_at: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    SegmentCondition: {
      field: string;
      operator: components['schemas']['Operator'];
      value: string | null;
      connector: components['schemas']['Connector'] | null;
    };
    SegmentPreview: {
      count: number;
      sample: components['schemas']['Contact'][];
    };
    SkippedStep: {
      message: string;
      /** @enum {string|null} */
      status: 'completed' | null;
      current_step_id: number | null;
    };
    /**
     * @description `ssl` is implicit TLS; `tls` is STARTTLS.
     * @enum {string}
     */
    SmtpEncryption: 'tls' | 'ssl';
    Step: {
      id: number;
      campaign_id: number;
      position: number;
      template_id: number | null;
      subject: string;
      body: string;
      delay_minutes: number;
      same_thread: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    StepCounts: {
      step_id: number;
      position: number;
      queued: number;
      sent: number;
      delivered: number;
      opened: number;
      clicked: number;
      replied: number;
      bounced: number;
      complained: number;
      unsubscribed: number;
      failed: number;
      unknown: number;
      open_rate: number;
      click_rate: number;
      reply_rate: number;
      bounce_rate: number;
    };
    Tag: {
      id: number;
      name: string;
      color: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    TagReference: {
      id: number;
      name?: string;
      color?: string | null;
      /** Format: date-time */
      created_at?: string;
      /** Format: date-time */
      updated_at?: string;
    };
    Template: {
      id: number;
      name: string;
      subject: string;
      body: string;
      category: components['schemas']['TemplateCategory'];
      variables: string[];
      unknown_variables: string[];
      is_library: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    /**
     * @description The categories of templates (API v1, "Template").
     * @enum {string}
     */
    TemplateCategory:
      'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other';
    TemplatePreview: {
      subject: string;
      body: string;
      unknown_variables: string[];
    };
    TemplateVariables: {
      variables: string[];
    };
    /**
     * @description What happens to a message if it is unknown whether the mail server accepted it.
     * @enum {string}
     */
    UnknownPolicy: 'resend' | 'hold';
    UpdateCampaign: {
      name?: string;
      /** @description `null` means no value. */
      description?: string | null;
      /** @description The email accounts that send, in rotation. An account that is named twice counts once. `null` means `[]`. */
      email_account_ids?: number[] | null;
      schedule?: components['schemas']['Schedule'] | null;
      /** @description `null` means `true`. */
      track_opens?: boolean | null;
      /** @description `null` means `true`. */
      track_clicks?: boolean | null;
      /** @description `null` means `true`. */
      stop_on_reply?: boolean | null;
      /** @description `null` means `true`. */
      unsubscribe_footer?: boolean | null;
      /** @description `null` means `resend`. */
      on_unknown?: components['schemas']['UnknownPolicy'] | null;
      readonly id?: number;
      readonly status?: components['schemas']['CampaignStatus'];
      readonly steps_count?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly started_at?: string | null;
      /** Format: date-time */
      readonly paused_at?: string | null;
      readonly pause_reason?: components['schemas']['PauseReason'] | null;
      /** Format: date-time */
      readonly completed_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateCompany: {
      name?: string;
      /**
       * Format: idn-hostname
       * @description `null` means no value.
       */
      domain?: string | null;
      /**
       * Format: uri
       * @description `null` means no value.
       */
      website?: string | null;
      /** @description `null` means no value. */
      industry?: string | null;
      readonly id?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateContact: {
      /** Format: email */
      email?: string;
      /** @description `null` means no value. */
      first_name?: string | null;
      /** @description `null` means no value. */
      last_name?: string | null;
      /** @description `null` means no value. */
      company?: string | null;
      /** @description `null` means no value. */
      company_id?: number | null;
      /** @description `null` means no value. */
      phone?: string | null;
      /** @description `null` means no value. */
      job_title?: string | null;
      /** @description `null` means no value. */
      linkedin_url?: string | null;
      /**
       * @description `null` means no value.
       * @example Europe/Paris
       */
      timezone?: string | null;
      /** @description `null` means `subscriber`. */
      lifecycle_stage?: components['schemas']['LifecycleStage'] | null;
      /** @description `null` means no value. */
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      /** @description IDs of tags. An update replaces all tags of the contact. `null` means no value. */
      tags?: (number | components['schemas']['TagReference'])[] | null;
      /** @description IDs of lists. An update replaces all lists of the contact. `null` means no value. */
      lists?: (number | components['schemas']['ContactListReference'])[] | null;
      readonly id?: number;
      readonly full_name?: string | null;
      readonly status?: components['schemas']['ContactStatus'];
      /** Format: date-time */
      readonly subscribed_at?: string | null;
      /** Format: date-time */
      readonly unsubscribed_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateCustomField: {
      /** @description `null` means no value. */
      label?: string | null;
      readonly id?: number;
      readonly key?: string;
      readonly type?: components['schemas']['CustomFieldType'];
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateEmailAccount: {
      name?: string;
      /** @description Accepted if it is the type of the account. */
      type?: components['schemas']['EmailAccountType'];
      /** Format: email */
      from_email?: string;
      from_name?: string;
      /** @description `null` means `500`. */
      daily_limit?: number | null;
      /** @description `null` means `true`. */
      is_active?: boolean | null;
      smtp_host?: string | null;
      /** @enum {integer|null} */
      smtp_port?: 25 | 465 | 587 | 993 | 995 | 2525 | null;
      smtp_username?: string | null;
      smtp_password?: string | null;
      /** @description `null` means `tls`. */
      smtp_encryption?: components['schemas']['SmtpEncryption'] | null;
      sendgrid_api_key?: string | null;
      /** @description `null` means no value. */
      sendgrid_webhook_key?: string | null;
      readonly id?: number;
      readonly is_default?: boolean;
      readonly sent_today?: number;
      /** Format: date-time */
      readonly last_used_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateList: {
      name?: string;
      /** @description `null` means no value. */
      description?: string | null;
      readonly id?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateSegment: {
      name?: string;
      /** @description `null` means no value. */
      description?: string | null;
      match_type?: components['schemas']['MatchType'];
      /** @description Replaces all conditions. */
      conditions?: components['schemas']['Condition'][];
      readonly id?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly contacts_counted_at?: string;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateSettings: {
      /** @description The template variable `sender_address`. It may have several lines. `null` means no value. */
      postal_address?: string | null;
      /** @description The template variable `brand.name`; by default the name of the sender. `null` means no value. */
      brand_name?: string | null;
      /** @description The template variable `brand.color`, from which the other colors of the brand are derived. `null` means no value. */
      brand_color?: string | null;
      /**
       * Format: uri
       * @description The image of the template variable `brand.logo`. Messages show it 40 pixels high. `null` means no value.
       */
      logo_url?: string | null;
    };
    UpdateStep: {
      subject?: string;
      body?: string;
      /** @description From 1. A position after the end means the end. `null` means no value. */
      position?: number | null;
      /** @description `null` means no value. */
      template_id?: number | null;
      /** @description `null` means `0`. */
      delay_minutes?: number | null;
      /** @description `null` means `false`. */
      same_thread?: boolean | null;
      readonly id?: number;
      readonly campaign_id?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateTag: {
      name?: string;
      /** @description `null` means no value. */
      color?: string | null;
      readonly id?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateTemplate: {
      name?: string;
      subject?: string;
      body?: string;
      /** @description `null` means `other`. */
      category?: components['schemas']['TemplateCategory'] | null;
      /** @description `null` means `[]`. */
      variables?: string[] | null;
      /** @description `null` means `false`. */
      is_library?: boolean | null;
      readonly id?: number;
      readonly unknown_variables?: string[];
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateWebhook: {
      /** Format: uri */
      url?: string;
      events?: (
        | 'campaign.completed'
        | 'campaign.paused'
        | 'campaign.started'
        | 'contact.created'
        | 'contact.deleted'
        | 'contact.updated'
        | 'email.bounced'
        | 'email.clicked'
        | 'email.complained'
        | 'email.delivered'
        | 'email.opened'
        | 'email.sent'
        | 'email.unsubscribed'
        | 'webhook.disabled'
      )[];
      /** @description `null` means `true`. */
      is_active?: boolean | null;
      readonly id?: number;
      /** Format: date-time */
      readonly last_triggered_at?: string | null;
      readonly failure_count?: number;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
      readonly secret?: string;
    };
    Webhook: {
      id: number;
      url: string;
      events: (
        | 'campaign.completed'
        | 'campaign.paused'
        | 'campaign.started'
        | 'contact.created'
        | 'contact.deleted'
        | 'contact.updated'
        | 'email.bounced'
        | 'email.clicked'
        | 'email.complained'
        | 'email.delivered'
        | 'email.opened'
        | 'email.sent'
        | 'email.unsubscribed'
        | 'webhook.disabled'
      )[];
      is_active: boolean;
      /** Format: date-time */
      last_triggered_at: string | null;
      failure_count: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    WebhookDisabledEvent: {
      /** @constant */
      event: 'webhook.disabled';
      workspace_id: number;
      data: components['schemas']['Webhook'];
    };
    WebhookLog: {
      id: number;
      event: string;
      payload: {
        [key: string]: unknown;
      };
      /** @description 0 means that the endpoint was not reached */
      status_code: number;
      /** @description The beginning of the response body, or the reason why there is no response */
      response: string;
      success: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: uuid */
      delivery_id: string;
      attempt: number;
    };
    WebhookSecret: {
      id: number;
      secret: string;
    };
    WebhookTest: {
      message: string;
      /** Format: date-time */
      timestamp: string;
    };
    WebhookTestEvent: {
      /** @constant */
      event: 'webhook.test';
      workspace_id: number;
      data: components['schemas']['WebhookTest'];
    };
    WebhookTestResult: {
      success: boolean;
      message: string;
      status_code: number;
    };
    WebhookWithSecret: {
      id: number;
      url: string;
      events: (
        | 'campaign.completed'
        | 'campaign.paused'
        | 'campaign.started'
        | 'contact.created'
        | 'contact.deleted'
        | 'contact.updated'
        | 'email.bounced'
        | 'email.clicked'
        | 'email.complained'
        | 'email.delivered'
        | 'email.opened'
        | 'email.sent'
        | 'email.unsubscribed'
        | 'webhook.disabled'
      )[];
      is_active: boolean;
      /** Format: date-time */
      last_triggered_at: string | null;
      failure_count: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      secret: string;
    };
    Workspace: {
      id: number;
      name: string;
    };
    WorkspaceLimits: {
      tokens: number;
      webhooks: number;
      email_accounts: number;
      campaigns: number;
      steps_per_campaign: number;
      templates: number;
      segments: number;
      lists: number;
      tags: number;
      companies: number;
      contacts: number;
      blacklist_entries_per_day: number;
    };
    WorkspaceSettings: {
      postal_address: string | null;
      brand_name: string | null;
      brand_color: string | null;
      logo_url: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

/** A record as the API shows or takes it, by the name of its schema. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

// Generated from docs/openapi.json by npm run generate.
export interface components {
  schemas: {
    AddContacts: {
      contact_ids: number[];
    };
    AuthenticationError: {
      /** @enum {string} */
      error: 'Unauthorized' | 'Forbidden';
      /** @description For people; the wording may change. */
      message: string;
    };
    BlacklistAddress: {
      /** Format: email */
      email: string;
      /** @enum {string|null} */
      reason?: 'bounce' | 'complaint' | 'manual' | 'unsubscribe' | null;
      readonly id?: number;
      /** Format: date-time */
      readonly created_at?: string;
    };
    BlacklistCheck: {
      email: string;
      is_blacklisted: boolean;
      /** @enum {string|null} */
      reason: 'bounce' | 'complaint' | 'manual' | 'unsubscribe' | null;
      /** Format: date-time */
      blacklisted_at: string | null;
    };
    BlacklistEntry: {
      id: number;
      email: string;
      /** @enum {string} */
      reason: 'bounce' | 'complaint' | 'manual' | 'unsubscribe';
      /** Format: date-time */
      created_at: string;
    };
    BlacklistReason: {
      /** @enum {string} */
      value: 'bounce' | 'complaint' | 'manual' | 'unsubscribe';
      label: string;
    };
    BulkCreate: {
      /** @enum {string|null} */
      reason?: 'bounce' | 'complaint' | 'manual' | 'unsubscribe' | null;
      emails: string[];
    };
    BulkDelete: {
      emails: string[];
    };
    Campaign: {
      id: number;
      name: string;
      description: string | null;
      /** @enum {string} */
      status: 'draft' | 'active' | 'paused' | 'completed';
      email_account_ids: number[];
      schedule: {
        timezone: string;
        days: number[];
        start: string;
        end: string;
      } | null;
      track_opens: boolean;
      track_clicks: boolean;
      stop_on_reply: boolean;
      unsubscribe_footer: boolean;
      /** @enum {string} */
      on_unknown: 'resend' | 'hold';
      steps_count: number;
      contacts_count: number;
      /** Format: date-time */
      started_at: string | null;
      /** Format: date-time */
      paused_at: string | null;
      /** @enum {string|null} */
      pause_reason: 'account_deleted' | null;
      /** Format: date-time */
      completed_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    CampaignStats: {
      enrollments: {
        pending: number;
        in_progress: number;
        completed: number;
        failed: number;
        unsubscribed: number;
      };
      messages: {
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
      steps: {
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
      }[];
    };
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
      /** @enum {string} */
      operator:
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
      value?: string | null;
      /** @enum {string|null} */
      connector?: 'and' | 'or' | null;
    };
    ConnectionTest: {
      success: boolean;
      message: string;
    };
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
      /** @enum {string} */
      lifecycle_stage:
        | 'subscriber'
        | 'lead'
        | 'marketing_qualified_lead'
        | 'sales_qualified_lead'
        | 'opportunity'
        | 'customer'
        | 'evangelist'
        | 'other';
      /** @enum {string} */
      status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
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
      tags: {
        id: number;
        name: string;
        color: string | null;
        /** Format: date-time */
        created_at: string;
        /** Format: date-time */
        updated_at: string;
      }[];
      lists: {
        id: number;
        name: string;
        description: string | null;
        contacts_count?: number;
        /** Format: date-time */
        created_at: string;
        /** Format: date-time */
        updated_at: string;
      }[];
    };
    CopyTemplate: {
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
      steps?: components['schemas']['CreateStep'][] | null;
      description?: string | null;
      email_account_ids?: number[] | null;
      schedule?: components['schemas']['Schedule'] | null;
      track_opens?: boolean | null;
      track_clicks?: boolean | null;
      stop_on_reply?: boolean | null;
      unsubscribe_footer?: boolean | null;
      /** @enum {string|null} */
      on_unknown?: 'resend' | 'hold' | null;
      readonly id?: number;
      /** @enum {string} */
      readonly status?: 'draft' | 'active' | 'paused' | 'completed';
      readonly steps_count?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly started_at?: string | null;
      /** Format: date-time */
      readonly paused_at?: string | null;
      /** @enum {string|null} */
      readonly pause_reason?: 'account_deleted' | null;
      /** Format: date-time */
      readonly completed_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    CreateCompany: {
      name: string;
      /** Format: idn-hostname */
      domain?: string | null;
      /** Format: uri */
      website?: string | null;
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
      first_name?: string | null;
      last_name?: string | null;
      company?: string | null;
      company_id?: number | null;
      phone?: string | null;
      job_title?: string | null;
      linkedin_url?: string | null;
      /** @example Europe/Paris */
      timezone?: string | null;
      /** @enum {string|null} */
      lifecycle_stage?:
        | 'subscriber'
        | 'lead'
        | 'marketing_qualified_lead'
        | 'sales_qualified_lead'
        | 'opportunity'
        | 'customer'
        | 'evangelist'
        | 'other'
        | null;
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      tags?:
        | (
            | number
            | {
                id: number;
                name?: string;
                color?: string | null;
                /** Format: date-time */
                created_at?: string;
                /** Format: date-time */
                updated_at?: string;
              }
          )[]
        | null;
      lists?:
        | (
            | number
            | {
                id: number;
                name?: string;
                description?: string | null;
                contacts_count?: number;
                /** Format: date-time */
                created_at?: string;
                /** Format: date-time */
                updated_at?: string;
              }
          )[]
        | null;
      readonly id?: number;
      readonly full_name?: string | null;
      /** @enum {string} */
      readonly status?: 'active' | 'unsubscribed' | 'bounced' | 'complained';
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
      label?: string | null;
      /** @enum {string} */
      type: 'text' | 'number' | 'boolean' | 'date';
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
      /** @default 500 */
      daily_limit: number | null;
      /** @default true */
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
      /**
       * @default tls
       * @enum {string|null}
       */
      smtp_encryption: 'tls' | 'ssl' | null;
      /** @description Whether it is required depends on `type`. */
      sendgrid_api_key?: string;
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
      description?: string | null;
      /** @enum {string} */
      match_type: 'all' | 'any';
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
      position?: number | null;
      template_id?: number | null;
      delay_minutes?: number | null;
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
      body: string;
      /** @enum {string|null} */
      category?:
        'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other' | null;
      variables?: string[] | null;
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
      /** Format: date-time */
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
      /** @default true */
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
    CustomField: {
      id: number;
      key: string;
      label: string;
      /** @enum {string} */
      type: 'text' | 'number' | 'boolean' | 'date';
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    DuplicateTemplate: {
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
      /** @enum {string} */
      type: 'smtp' | 'sendgrid' | 'google' | 'microsoft';
      is_default: boolean;
      is_active: boolean;
      daily_limit: number;
      sent_today: number;
      /** Format: date-time */
      last_used_at: string | null;
      smtp_host: string | null;
      smtp_port: number | null;
      /** @enum {string|null} */
      smtp_encryption: 'tls' | 'ssl' | null;
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
      bounce: {
        /** @enum {string} */
        type: 'hard' | 'soft';
        code: string | null;
        message: string;
      };
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
    EnrollContacts: {
      contact_ids: number[];
    };
    Enrolled: {
      message: string;
      enrolled: number;
      skipped: number;
    };
    EnrollFromLists: {
      list_ids?: number[] | null;
      segment_ids?: number[] | null;
    };
    Enrollment: {
      id: number;
      campaign_id: number;
      contact_id: number;
      current_step_id: number | null;
      /** @enum {string} */
      status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'unsubscribed';
      /** Format: date-time */
      completed_at: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
      contact: {
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
        /** @enum {string} */
        lifecycle_stage:
          | 'subscriber'
          | 'lead'
          | 'marketing_qualified_lead'
          | 'sales_qualified_lead'
          | 'opportunity'
          | 'customer'
          | 'evangelist'
          | 'other';
        /** @enum {string} */
        status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
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
        tags: {
          id: number;
          name: string;
          color: string | null;
          /** Format: date-time */
          created_at: string;
          /** Format: date-time */
          updated_at: string;
        }[];
        lists: {
          id: number;
          name: string;
          description: string | null;
          contacts_count?: number;
          /** Format: date-time */
          created_at: string;
          /** Format: date-time */
          updated_at: string;
        }[];
      };
      current_step: {
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
      } | null;
    };
    Error: {
      /** @enum {string} */
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
      /** @description The HTTP status */
      code: number;
    };
    Inbound: {
      key: string;
      sendgrid_url: string;
      mail_url: string;
    };
    List: {
      id: number;
      name: string;
      description: string | null;
      contacts_count?: number;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    MarketplacePack: {
      id: number;
      slug: string;
      name: string;
      description: string;
      /** @enum {string} */
      locale: 'fr' | 'en';
      is_featured: boolean;
      downloads_count: number;
      templates_count: number;
      templates: {
        id: number;
        slug: string;
        name: string;
        description: string;
        /** @enum {string} */
        category: 'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other';
        /** @enum {string} */
        locale: 'fr' | 'en';
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
      }[];
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
      /** @enum {string} */
      category: 'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other';
      /** @enum {string} */
      locale: 'fr' | 'en';
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
    Me: {
      workspace: {
        id: number;
        name: string;
      };
      token: {
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
      limits: {
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
      /** @enum {string} */
      status:
        'queued' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled' | 'unknown';
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
    NewToken: {
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
    /** @description Absolute URLs of other pages. prev is null on the first page, next on the last. */
    PageLinks: {
      /** Format: uri */
      first: string;
      /** Format: uri */
      last: string;
      /** Format: uri */
      prev: string | null;
      /** Format: uri */
      next: string | null;
    };
    PageMeta: {
      current_page: number;
      last_page: number;
      per_page: number;
      /** @description Records on all pages */
      total: number;
      /** @description Records on this page */
      count: number;
    };
    PreviewTemplate: {
      contact_id?: number | null;
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
    RemoveContacts: {
      contact_ids: number[];
    };
    RetriedMessages: {
      count: number;
    };
    RetryMessages: {
      /** @enum {string} */
      status: 'failed' | 'unknown';
    };
    Schedule: {
      /** @example Europe/Paris */
      timezone: string;
      days: number[];
      start: string;
      end: string;
    };
    Segment: {
      id: number;
      name: string;
      description: string | null;
      /** @enum {string} */
      match_type: 'all' | 'any';
      conditions: {
        field: string;
        /** @enum {string} */
        operator:
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
        value: string | null;
        /** @enum {string|null} */
        connector: 'and' | 'or' | null;
      }[];
      contacts_count: number;
      /** Format: date-time */
      contacts_counted_at: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    SegmentPreview: {
      count: number;
      sample: {
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
        /** @enum {string} */
        lifecycle_stage:
          | 'subscriber'
          | 'lead'
          | 'marketing_qualified_lead'
          | 'sales_qualified_lead'
          | 'opportunity'
          | 'customer'
          | 'evangelist'
          | 'other';
        /** @enum {string} */
        status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
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
        tags: {
          id: number;
          name: string;
          color: string | null;
          /** Format: date-time */
          created_at: string;
          /** Format: date-time */
          updated_at: string;
        }[];
        lists: {
          id: number;
          name: string;
          description: string | null;
          contacts_count?: number;
          /** Format: date-time */
          created_at: string;
          /** Format: date-time */
          updated_at: string;
        }[];
      }[];
    };
    Settings: {
      postal_address: string | null;
    };
    Skipped: {
      message: string;
      /** @enum {string|null} */
      status: 'completed' | null;
      current_step_id: number | null;
    };
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
    Tag: {
      id: number;
      name: string;
      color: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    Template: {
      id: number;
      name: string;
      subject: string;
      body: string;
      /** @enum {string} */
      category: 'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other';
      variables: string[];
      unknown_variables: string[];
      is_library: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      updated_at: string;
    };
    TemplatePreview: {
      subject: string;
      body: string;
      unknown_variables: string[];
    };
    TemplateVariables: {
      variables: string[];
    };
    Token: {
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
    UpdateCampaign: {
      name?: string;
      description?: string | null;
      email_account_ids?: number[] | null;
      schedule?: components['schemas']['Schedule'] | null;
      track_opens?: boolean | null;
      track_clicks?: boolean | null;
      stop_on_reply?: boolean | null;
      unsubscribe_footer?: boolean | null;
      /** @enum {string|null} */
      on_unknown?: 'resend' | 'hold' | null;
      readonly id?: number;
      /** @enum {string} */
      readonly status?: 'draft' | 'active' | 'paused' | 'completed';
      readonly steps_count?: number;
      readonly contacts_count?: number;
      /** Format: date-time */
      readonly started_at?: string | null;
      /** Format: date-time */
      readonly paused_at?: string | null;
      /** @enum {string|null} */
      readonly pause_reason?: 'account_deleted' | null;
      /** Format: date-time */
      readonly completed_at?: string | null;
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateCompany: {
      name?: string;
      /** Format: idn-hostname */
      domain?: string | null;
      /** Format: uri */
      website?: string | null;
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
      first_name?: string | null;
      last_name?: string | null;
      company?: string | null;
      company_id?: number | null;
      phone?: string | null;
      job_title?: string | null;
      linkedin_url?: string | null;
      /** @example Europe/Paris */
      timezone?: string | null;
      /** @enum {string|null} */
      lifecycle_stage?:
        | 'subscriber'
        | 'lead'
        | 'marketing_qualified_lead'
        | 'sales_qualified_lead'
        | 'opportunity'
        | 'customer'
        | 'evangelist'
        | 'other'
        | null;
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      tags?:
        | (
            | number
            | {
                id: number;
                name?: string;
                color?: string | null;
                /** Format: date-time */
                created_at?: string;
                /** Format: date-time */
                updated_at?: string;
              }
          )[]
        | null;
      lists?:
        | (
            | number
            | {
                id: number;
                name?: string;
                description?: string | null;
                contacts_count?: number;
                /** Format: date-time */
                created_at?: string;
                /** Format: date-time */
                updated_at?: string;
              }
          )[]
        | null;
      readonly id?: number;
      readonly full_name?: string | null;
      /** @enum {string} */
      readonly status?: 'active' | 'unsubscribed' | 'bounced' | 'complained';
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
      label?: string | null;
      readonly id?: number;
      readonly key?: string;
      /** @enum {string} */
      readonly type?: 'text' | 'number' | 'boolean' | 'date';
      /** Format: date-time */
      readonly created_at?: string;
      /** Format: date-time */
      readonly updated_at?: string;
    };
    UpdateEmailAccount: {
      name?: string;
      /** @enum {string} */
      type?: 'smtp' | 'sendgrid' | 'google' | 'microsoft';
      /** Format: email */
      from_email?: string;
      from_name?: string;
      daily_limit?: number | null;
      is_active?: boolean | null;
      smtp_host?: string | null;
      /** @enum {integer|null} */
      smtp_port?: 25 | 465 | 587 | 993 | 995 | 2525 | null;
      smtp_username?: string | null;
      smtp_password?: string | null;
      /** @enum {string|null} */
      smtp_encryption?: 'tls' | 'ssl' | null;
      sendgrid_api_key?: string | null;
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
      description?: string | null;
      /** @enum {string} */
      match_type?: 'all' | 'any';
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
      postal_address?: string | null;
    };
    UpdateStep: {
      subject?: string;
      body?: string;
      position?: number | null;
      template_id?: number | null;
      delay_minutes?: number | null;
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
      /** @enum {string|null} */
      category?:
        'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other' | null;
      variables?: string[] | null;
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
    WebhookLog: {
      id: number;
      event: string;
      payload: Record<string, unknown>;
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
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

/** A record as the API shows or takes it, by the name of its schema. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

// Generated from docs/openapi.json by npm run generate.
export interface components {
  schemas: {
    Activity: {
      /**
       * @description Identifies the entry among those of the contact. It stays the same.
       * @example request-88213
       */
      id: string;
      /** @description What has happened. */
      type: components['schemas']['ActivityType'];
      /**
       * Format: date-time
       * @description When it has happened.
       * @example 2026-03-03T11:32:41.204Z
       */
      occurred_at: string;
      /**
       * @description The campaign; null for what concerns the contact alone.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The step of the message, or the step that was skipped or moved to; null if it was deleted.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The `Message-ID` of the message, without angle brackets; null if none is concerned.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description Details, which depend on the type. Types without details have an empty object.
       * @example {
       *       "url": "https://acme-events.example/offer",
       *       "counted": true,
       *       "bot_reason": null
       *     }
       */
      data: {
        [key: string]: unknown;
      };
    };
    ActivityCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['Activity'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    /**
     * @description What has happened to a contact, in the order in which the entries of one instant follow each other.
     *
     *     - `contact.created`: The contact was created. `data`: `source`.
     *     - `enrollment.created`: The contact was enrolled in a campaign.
     *     - `enrollment.skipped`: A step was skipped by request.
     *     - `enrollment.moved`: The enrollment was moved to another step by request.
     *     - `email.sent`: A mail server or a provider has accepted a message.
     *     - `email.delivered`: A report says that a message has arrived.
     *     - `email.opened`: The pixel of a message was loaded. `data`: `counted`, `bot_reason`.
     *     - `email.clicked`: A link of a message was requested. `data`: `url`, `counted`, `bot_reason`.
     *     - `email.replied`: A reply to a message was received. `data`: `reply_id`, `classification`, `is_automatic`.
     *     - `email.bounced`: A message was returned, because its address does not exist.
     *     - `email.complained`: A message was reported as spam.
     *     - `email.unsubscribed`: The contact has unsubscribed through a message.
     *     - `contact.status_changed`: The status of the contact has changed. `data`: `from`, `to`, `source`.
     *     - `contact.consent_changed`: The contact has agreed to the measurement of opens and clicks, or refused it. `data`: `from`, `to`, `source`.
     *     - `enrollment.completed`: The enrollment has ended: the last step was sent, or the contact has replied.
     *     - `enrollment.failed`: The enrollment has ended, because a message could not be delivered.
     *     - `enrollment.unsubscribed`: The enrollment has ended, because the contact has unsubscribed.
     * @enum {string}
     */
    ActivityType:
      | 'contact.created'
      | 'enrollment.created'
      | 'enrollment.skipped'
      | 'enrollment.moved'
      | 'email.sent'
      | 'email.delivered'
      | 'email.opened'
      | 'email.clicked'
      | 'email.replied'
      | 'email.bounced'
      | 'email.complained'
      | 'email.unsubscribed'
      | 'contact.status_changed'
      | 'contact.consent_changed'
      | 'enrollment.completed'
      | 'enrollment.failed'
      | 'enrollment.unsubscribed';
    AddContacts: {
      /**
       * @description The IDs of at most 1,000 contacts. Those that are members already count as `skipped`.
       * @example [
       *       4711
       *     ]
       */
      contact_ids: number[];
    };
    AddressesBlacklisted: {
      /**
       * @description How many addresses were added.
       * @example 2
       */
      added: number;
      /**
       * @description How many the workspace had added before, or named twice.
       * @example 0
       */
      skipped: number;
    };
    AddressesRemoved: {
      /**
       * @description How many entries were removed.
       * @example 1
       */
      deleted: number;
      /**
       * @description How many addresses the workspace had not added.
       * @example 0
       */
      not_found: number;
    };
    AdvanceClock: {
      /**
       * @description By how many seconds the clock is put forward, at most 400 days. If it is being put forward, they count from where it will be. `null` means no value.
       * @example 1814400
       */
      advance_seconds?: number | null;
      /**
       * Format: date-time
       * @description To when it is put forward: an instant with its offset (ISO 8601), not in the past and within 400 days. `null` means no value.
       * @example 2026-03-23T09:00:00Z
       */
      to?: string | null;
    };
    AnswerReply: {
      /**
       * @description The HTML of the answer. It is sent as it is: variables are not filled in. At most 256 KB.
       * @example <p>Great, I will call you on Thursday at ten.</p>
       */
      body: string;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 30911
       */
      readonly id?: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      readonly campaign_id?: number;
      /**
       * @description The ID of the enrollment.
       * @example 10482
       */
      readonly enrollment_id?: number;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      readonly contact_id?: number;
      /**
       * @description The current address of the contact.
       * @example claire.martin@acme.example
       */
      readonly email?: string;
      /**
       * @description The step; null if it was deleted.
       * @example 63
       */
      readonly step_id?: number | null;
      /**
       * @description The variant of the step that the contact gets, also after it was removed; null if the step had no variants when the message was queued.
       * @example 7
       */
      readonly variant_id?: number | null;
      /**
       * @description The email account that sends or has sent it; null if none is chosen yet, or it was deleted.
       * @example 5
       */
      readonly email_account_id?: number | null;
      /**
       * @description The subject as it was sent; null before the first attempt.
       * @example Good to meet you, Claire
       */
      readonly subject?: string | null;
      /** @description What has become of the message. */
      readonly status?: components['schemas']['MessageStatus'];
      /**
       * @description The header `Message-ID`, without angle brackets; null before the first attempt. Two attempts of the same message have the same one.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      readonly message_id?: string | null;
      /**
       * @description How often the service has tried to send it.
       * @example 1
       */
      readonly attempts?: number;
      /**
       * @description Why the message waits or was not sent; null if there is no reason to name. While it waits: a value of `WaitReason`, as `waiting_for` of an enrollment. If it ended: `blacklisted`, `unsubscribed`, `skipped`, `moved`, `paused`, or what the mail server said.
       * @example outside_schedule
       */
      readonly reason?: string | null;
      /**
       * Format: date-time
       * @description When the mail server accepted it; null before.
       * @example 2026-03-03T09:14:27.052Z
       */
      readonly sent_at?: string | null;
      /**
       * Format: date-time
       * @description When a person opened it first; null if not measured or not opened.
       * @example 2026-03-03T10:02:11.300Z
       */
      readonly opened_at?: string | null;
      /**
       * Format: date-time
       * @description When a person clicked a link in it first; null if not measured or not clicked.
       * @example 2026-03-03T10:02:40.911Z
       */
      readonly clicked_at?: string | null;
      /**
       * @description Requests for the pixel that were made by bots, and do not count as opens.
       * @example 0
       */
      readonly bot_opens?: number;
      /**
       * @description Requests for links that were made by bots, and do not count as clicks.
       * @example 4
       */
      readonly bot_clicks?: number;
      /** @description Why the last request that does not count does not; null if there was none. */
      readonly bot_reason?: components['schemas']['BotReason'] | null;
      /**
       * Format: date-time
       * @description When the first reply arrived; null before.
       * @example 2026-03-03T11:30:00.000Z
       */
      readonly replied_at?: string | null;
      /**
       * Format: date-time
       * @description When it was refused because its address is dead, or reported as undeliverable; null if it was not.
       * @example 2026-03-03T09:14:31.020Z
       */
      readonly bounced_at?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T09:14:20.007Z
       */
      readonly created_at?: string;
    };
    ApiToken: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4
       */
      id: number;
      /**
       * @description What the token is for. At most 255 characters.
       * @example Sign-up form
       */
      name: string;
      /** @description What the token may do. */
      permissions: components['schemas']['Permission'][];
      /**
       * Format: date-time
       * @description When it ends; null if it does not.
       * @example 2036-12-31T23:00:00.000Z
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description When it was last used, to the minute; null if it never was.
       * @example 2026-03-03T09:14:27.052Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:00:00.000Z
       */
      created_at: string;
    };
    ApiTokenPage: {
      /** @description The records of this page. */
      data: components['schemas']['ApiToken'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    AuthenticationError: {
      /**
       * @description The kind of error, for programs.
       * @example Unauthorized
       * @enum {string}
       */
      error: 'Unauthorized' | 'Forbidden';
      /**
       * @description A sentence for people. The wording may change. For people; the wording may change.
       * @example The token has expired.
       */
      message: string;
    };
    AutoEnroll: {
      /**
       * @description The IDs of at most 100 lists. Together with `segment_ids` there is at least one ID. `null` means `[]`.
       * @example [
       *       8
       *     ]
       */
      list_ids?: number[] | null;
      /**
       * @description The IDs of at most 20 segments. `null` means `[]`.
       * @example [
       *       9
       *     ]
       */
      segment_ids?: number[] | null;
    };
    BlacklistAddress: {
      /**
       * Format: email
       * @description The address, at most 254 characters, in upper or lower case.
       * @example tom.weber@globex.example
       */
      email: string;
      /** @description Why the address is added. Without a reason it is `manual`. `null` means no value. */
      reason?: components['schemas']['BlacklistReason'] | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 31
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-04T10:00:00.000Z
       */
      readonly created_at?: string;
    };
    BlacklistAddresses: {
      /** @description Why the addresses are added. Without a reason it is `manual`. `null` means no value. */
      reason?: components['schemas']['BlacklistReason'] | null;
      /**
       * @description 1 to 1,000 addresses, in upper or lower case.
       * @example [
       *       "no-more@initech.example",
       *       "info@globex.example"
       *     ]
       */
      emails: string[];
    };
    BlacklistCheck: {
      /**
       * @description The address, in lower case.
       * @example tom.weber@globex.example
       */
      email: string;
      /**
       * @description Whether any workspace has blacklisted it, so that nothing is sent to it.
       * @example true
       */
      is_blacklisted: boolean;
      /** @description Why your workspace has added it; null if it has not. */
      reason: components['schemas']['BlacklistReason'] | null;
      /**
       * Format: date-time
       * @description When your workspace has added it; null if it has not.
       * @example 2026-03-04T10:00:00.000Z
       */
      blacklisted_at: string | null;
    };
    BlacklistEntry: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 31
       */
      id: number;
      /**
       * @description The address, in lower case. Of a person whose data was erased it is `hmac-sha256:` and a keyed hash, which blocks the address without containing it.
       * @example tom.weber@globex.example
       */
      email: string;
      /** @description Why the address is on the blacklist. */
      reason: components['schemas']['BlacklistReason'];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-04T10:00:00.000Z
       */
      created_at: string;
    };
    BlacklistEntryPage: {
      /** @description The records of this page. */
      data: components['schemas']['BlacklistEntry'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    /**
     * @description Why an address is on the blacklist.
     *
     *     - `bounce`: A mail server has refused the address for good. Added by the service.
     *     - `complaint`: The recipient has marked a message as spam. Added by the service.
     *     - `manual`: Added by hand or by request. The default.
     *     - `unsubscribe`: The person does not want any messages.
     * @enum {string}
     */
    BlacklistReason: 'bounce' | 'complaint' | 'manual' | 'unsubscribe';
    BlacklistReasonLabel: {
      /** @description The value of `reason`. */
      value: components['schemas']['BlacklistReason'];
      /**
       * @description A name for people.
       * @example Hard bounce
       */
      label: string;
    };
    /**
     * @description Why a request for the pixel or a link of a message does not count as an open or a click.
     *
     *     - `head`: The request asked for the headers only, which mail programs do not do.
     *     - `prefetch`: The request says that it is made ahead of time, without a person.
     *     - `agent`: The user agent is that of a crawler, a scanner or a program.
     *     - `hidden_link`: Around that time, a link was followed that people do not see.
     *     - `many_links`: Around that time, many links of the message were followed at once.
     * @enum {string}
     */
    BotReason: 'head' | 'prefetch' | 'agent' | 'hidden_link' | 'many_links';
    Bounce: {
      /**
       * @description `hard`: the address does not exist, and the contact is `bounced` now. `soft`: the message was refused for another reason.
       * @example hard
       * @enum {string}
       */
      type: 'hard' | 'soft';
      /**
       * @description The mail server's enhanced status code (RFC 3463), such as `5.1.1`; null if it sent none.
       * @example 5.1.1
       */
      code: string | null;
      /**
       * @description What the mail server said.
       * @example 550 5.1.1 No such user here
       */
      message: string;
    };
    BulkUpsert: {
      /** @description 1 to 1,000 contacts. One that is invalid fails alone. */
      contacts: components['schemas']['ContactInput'][];
      /**
       * @description The field by which contacts are matched; each record needs it.
       * @default email
       * @example external_id
       * @enum {string}
       */
      match: 'email' | 'external_id';
      /**
       * @description What happens to a contact that exists.
       * @default update
       * @example update
       * @enum {string}
       */
      on_match: 'update' | 'skip';
    };
    BulkUpsertResult: {
      /**
       * @description The number of contacts that are new.
       * @example 0
       */
      created: number;
      /**
       * @description The number of records that have updated a contact.
       * @example 1
       */
      updated: number;
      /**
       * @description The number of records whose contact existed and stays as it is.
       * @example 0
       */
      skipped: number;
      /**
       * @description The number of records with errors.
       * @example 1
       */
      failed: number;
      /** @description One result for each record, in their order. */
      results: components['schemas']['UpsertResult'][];
      /**
       * @description The keys that this request has made custom fields of the workspace; absent if it has made none.
       * @example [
       *       "employees"
       *     ]
       */
      new_custom_fields?: string[];
    };
    Campaign: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 21
       */
      id: number;
      /**
       * @description The name, for you. At most 255 characters.
       * @example Spring fair follow-up
       */
      name: string;
      /**
       * @description What the campaign is for; null if there is no description. At most 1,000 characters.
       * @example Visitors of our stand
       */
      description: string | null;
      /** @description Where the campaign is in its life. It changes by the operations `start` and `pause`, and when all contacts are finished. */
      status: components['schemas']['CampaignStatus'];
      /**
       * @description The email accounts that it sends from, in turns; one contact gets all messages from the same one. Empty means the default account of the workspace.
       * @example [
       *       5
       *     ]
       */
      email_account_ids: number[];
      /** @description When messages may be sent; null means at any time. What is due outside of it waits. */
      schedule: components['schemas']['CampaignSchedule'] | null;
      /**
       * @description Whether opens are measured, with an invisible picture in the message.
       * @example true
       */
      track_opens: boolean;
      /**
       * @description Whether clicks are measured, with links that lead through the service.
       * @example true
       */
      track_clicks: boolean;
      /**
       * @description Whether a contact that replies gets no further steps.
       * @example true
       */
      stop_on_reply: boolean;
      /**
       * @description Whether a reply of a person ends the running enrollments of all contacts with the same `company_id` in this campaign, whatever `stop_on_reply` says. A contact without a company ends its own one.
       * @example false
       */
      stop_company_on_reply: boolean;
      /**
       * @description Whether contacts are skipped when they are enrolled while they have a running enrollment in another active campaign.
       * @example false
       */
      skip_running_elsewhere: boolean;
      /** @description The lists and segments whose members are enrolled while the campaign is active: those at its start, and within a minute those who join later, each contact once. A contact that was removed from the campaign is not enrolled again, and the campaign does not complete by itself. A list or segment that is deleted leaves it. Null means that no contact is enrolled automatically. */
      auto_enroll: components['schemas']['CampaignAutoEnroll'] | null;
      /**
       * @description Whether messages without `{{ unsubscribe_url }}` get a footer: who writes, the postal address of the workspace if it has one, unless the message uses `{{ sender_address }}`, and the unsubscribe link. The header `List-Unsubscribe` is always there.
       * @example true
       */
      unsubscribe_footer: boolean;
      /** @description The language of the footer. A contact whose custom field `language` or `locale` names another one of these, such as `fr`, `pt-BR` or `German`, gets the footer in that language. */
      language: components['schemas']['CampaignLanguage'];
      /** @description What happens to a message of which nobody knows whether the mail server accepted it. */
      on_unknown: components['schemas']['UnknownPolicy'];
      /**
       * @description The share of bounced messages, from 0 to 1, over which the campaign pauses itself, with the `pause_reason` `bounce_rate`: of the messages since its last start, from 50 on. What counts is what the statistics call `bounced`: messages that are refused because their address is dead, and all that are reported as undeliverable later. Null means that it never does.
       * @example 0.1
       */
      stop_at_bounce_rate: number | null;
      /**
       * @description The share of messages that recipients have marked as spam, from 0 to 1, over which the campaign pauses itself, with the `pause_reason` `complaint_rate`: of the messages since its last start, from 300 on. Null means that it never does.
       * @example 0.003
       */
      stop_at_complaint_rate: number | null;
      /**
       * @description How many contacts get their first message of the campaign on one day of the schedule's time zone, else of UTC; null means any number. The messages of the others wait with the reason `max_new_contacts`.
       * @example 50
       */
      max_new_contacts_per_day: number | null;
      /**
       * @description How many days, of 24 hours each, have to pass after the last message that the workspace sent to a contact, of any campaign and answers to replies included, before this campaign writes to it; null means none. Messages wait with the reason `min_days_since_last_message`.
       * @example 3
       */
      min_days_since_last_message: number | null;
      /**
       * @description How many steps it has.
       * @example 3
       */
      steps_count: number;
      /**
       * @description How many contacts are enrolled, the finished ones included.
       * @example 240
       */
      contacts_count: number;
      /**
       * Format: date-time
       * @description When it was started for the first time; null if it never was.
       * @example 2026-03-03T07:30:12.480Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description When it was paused; null if it is not paused.
       * @example 2026-03-17T16:45:03.211Z
       */
      paused_at: string | null;
      /** @description Why the service has paused it; null if it is not paused, or was paused by request. */
      pause_reason: components['schemas']['PauseReason'] | null;
      /**
       * Format: date-time
       * @description When all contacts were finished; null if it is not completed.
       * @example 2026-03-17T16:45:03.211Z
       */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-17T16:45:03.211Z
       */
      updated_at: string;
    };
    CampaignAutoEnroll: {
      /**
       * @description The IDs of at most 100 lists. Together with `segment_ids` there is at least one ID.
       * @example [
       *       8
       *     ]
       */
      list_ids: number[];
      /**
       * @description The IDs of at most 20 segments.
       * @example [
       *       9
       *     ]
       */
      segment_ids: number[];
    };
    CampaignCompletedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'campaign.completed';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Campaign'];
    };
    /**
     * @description The languages of the lines that the service adds to messages (ISO 639-1).
     * @enum {string}
     */
    CampaignLanguage: 'en' | 'fr' | 'de' | 'es' | 'it' | 'nl' | 'pt';
    CampaignPage: {
      /** @description The records of this page. */
      data: components['schemas']['Campaign'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    CampaignPausedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'campaign.paused';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Campaign'];
    };
    CampaignPreflight: {
      /**
       * @description Whether the campaign can be started now.
       * @example true
       */
      can_start: boolean;
      /** @description Why a start would be refused, in the order of the errors. */
      blockers: components['schemas']['PreflightBlocker'][];
      /** @description What may go wrong, although the campaign can start. */
      warnings: components['schemas']['PreflightWarning'][];
      /** @description The contacts of the campaign. */
      recipients: components['schemas']['PreflightRecipients'];
      /** @description What its email accounts can send. Other campaigns may use the same ones. */
      capacity: components['schemas']['PreflightCapacity'];
      /**
       * Format: date-time
       * @description When the last message would be sent, if the campaign is active from now on: with its delays, its schedule and all limits, without replies, bounces, absences and what else its email accounts send. Null if nothing is due, if something has to change first, or if it is years away.
       * @example 2026-03-17T15:00:00.000Z
       */
      estimated_completion_at: string | null;
    };
    CampaignSchedule: {
      /**
       * @description The time zone of `start` and `end` by its IANA name, such as `Europe/Paris`.
       * @example Europe/Paris
       */
      timezone: string;
      /**
       * @description The days on which messages may be sent: 1 is Monday, 7 is Sunday. A window over midnight belongs to the day on which it begins.
       * @example [
       *       1,
       *       2,
       *       3,
       *       4,
       *       5
       *     ]
       */
      days: number[];
      /**
       * @description The time of day from which messages may be sent, as `HH:MM`.
       * @example 09:00
       */
      start: string;
      /**
       * @description The time of day before which messages may be sent, as `HH:MM`. If it is earlier than `start`, the window ends on the next day. It cannot be equal to `start`.
       * @example 18:00
       */
      end: string;
      /**
       * @description Days on which no messages are sent, as `YYYY-MM-DD`: at most 400, each once. A window over midnight that begins on one of them is left out; one that began on the day before goes on until its end.
       * @example [
       *       "2026-05-01"
       *     ]
       */
      holidays: string[];
      /**
       * @description Whether the days and times are those of the time zone of each contact, by its field `timezone`. For contacts without one they are those of `timezone` above.
       * @example false
       */
      contact_timezone: boolean;
    };
    CampaignStartedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'campaign.started';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Campaign'];
    };
    CampaignStats: {
      /** @description The enrollments by status. */
      enrollments: components['schemas']['EnrollmentCounts'];
      /** @description The messages of all steps. */
      messages: components['schemas']['MessageCounts'];
      /** @description The messages by step, in the order of the steps. */
      steps: components['schemas']['StepCounts'][];
    };
    /**
     * @description Where a campaign is in its life. Only an `active` campaign sends.
     *
     *     - `draft`: Has never been started.
     *     - `active`: Sends its steps to its contacts when they are due.
     *     - `paused`: Sends nothing until it is started again. What was due meanwhile is sent then.
     *     - `completed`: All of its contacts are finished. It becomes active again by itself when it has work again: when contacts are enrolled, when it gets an `auto_enroll`, and when messages are retried. Pause it if it shall not.
     * @enum {string}
     */
    CampaignStatus: 'draft' | 'active' | 'paused' | 'completed';
    /**
     * @description Who or what has changed a contact.
     *
     *     - `api`: A request with an API token.
     *     - `import`: A file that was imported.
     *     - `link`: The page behind a link in a message.
     *     - `one_click`: The button of a mail program (RFC 8058).
     *     - `mail`: A mail: a report of a bounce or a complaint, one to the `mailto:` address of `List-Unsubscribe`, or an answer that asks for nothing but to be unsubscribed.
     *     - `provider`: An event of the provider that has sent the message.
     *     - `service`: The service itself, for example because a mail server has refused the address.
     * @enum {string}
     */
    ChangeSource: 'api' | 'import' | 'link' | 'one_click' | 'mail' | 'provider' | 'service';
    CheckAddress: {
      /**
       * Format: email
       * @description The address, in upper or lower case.
       * @example Tom.Weber@globex.example
       */
      email: string;
    };
    /**
     * @description How the records of a domain are.
     *
     *     - `pass`: As they should be.
     *     - `warn`: They work, but should be better.
     *     - `fail`: They are missing or wrong: messages are likely to be refused, or to be taken for spam.
     *     - `unknown`: The name servers did not respond, or nothing says where the record is.
     * @enum {string}
     */
    CheckStatus: 'pass' | 'warn' | 'fail' | 'unknown';
    Company: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 12
       */
      id: number;
      /**
       * @description The name. At most 255 characters. Two companies can have the same name.
       * @example Acme
       */
      name: string;
      /**
       * @description The company's host name, such as `acme.example`; null if unknown. At most 253 characters.
       * @example acme.example
       */
      domain: string | null;
      /**
       * @description The address of the website, with `http://` or `https://`; null if unknown. At most 500 characters.
       * @example https://www.acme.example
       */
      website: string | null;
      /**
       * @description The industry, in your own words; null if unknown. At most 255 characters.
       * @example Logistics
       */
      industry: string | null;
      /**
       * @description How many contacts are linked to the company.
       * @example 4
       */
      contacts_count: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:10:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:10:00.000Z
       */
      updated_at: string;
    };
    CompanyPage: {
      /** @description The records of this page. */
      data: components['schemas']['Company'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    Condition: {
      /**
       * @description What to compare: `email`, `external_id`, `first_name`, `last_name`, `full_name`, `company`, `phone`, `job_title`, `linkedin_url`, `timezone` (texts); `status`, `lifecycle_stage`, `tracking_consent` (enums); `subscribed_at`, `unsubscribed_at`, `created_at`, `updated_at` (dates); `company_id`, `tag_id`, `list_id` (IDs); or `custom_fields.<key>`, with the type of the custom field.
       * @example custom_fields.employees
       */
      field: string;
      /** @description How to compare. Which operators are possible depends on the type of the field. */
      operator: components['schemas']['Operator'];
      /**
       * @description What to compare with, at most 500 characters: a text; a number; `true` or `false`; a day such as `2026-09-30` or an instant with its offset; the ID of a company, tag or list; or a value of the enum. A JSON number or boolean is read as its text. It is ignored for `is_empty` and `is_not_empty`, and required for all others. `null` means no value.
       * @example 100
       */
      value?: string | null;
      /** @description Joins this condition with the one before it, instead of `match_type`. It has no effect on the first condition. `null` means no value. */
      connector?: components['schemas']['Connector'] | null;
    };
    ConnectionTest: {
      /**
       * @description Whether the connection and the login have worked.
       * @example true
       */
      success: boolean;
      /**
       * @description What has worked, or what has failed and what to check, in a sentence.
       * @example Connected and logged in.
       */
      message: string;
    };
    ConnectMailbox: {
      /**
       * @description The name of the new account, for you. A mailbox that is connected again keeps its own.
       * @example Sales
       */
      name: string;
      /**
       * @description The sender's name in the header `From`. Default: the name that the provider knows, else the address. `null` means no value.
       * @example Anna Lind
       */
      from_name?: string | null;
      /**
       * @description How many messages the new account sends in a day (UTC) at most. `null` means `500`.
       * @default 500
       * @example 200
       */
      daily_limit: number | null;
      /**
       * @description Where the browser is sent at the end, with `status=connected&email_account_id=…` or `status=failed&reason=…` added to the query: a URL of an origin that the operator allows. Without it a page shows the result. `null` means no value.
       * @example http://localhost:3000/mailboxes
       */
      redirect_to?: string | null;
    };
    /**
     * @description How a condition is joined with the one before it, as in SQL: `and` binds tighter than `or`, so `a or b and c` means `a or (b and c)`.
     *
     *     - `and`: Both must be true.
     *     - `or`: One of them must be true.
     * @enum {string}
     */
    Connector: 'and' | 'or';
    ConsentChange: {
      /**
       * @description What has changed. `status` says whether the service may write to the contact.
       * @example tracking_consent
       * @enum {string}
       */
      field: 'status' | 'tracking_consent';
      /**
       * @description The value before.
       * @example unknown
       */
      from: string;
      /**
       * @description The value since then.
       * @example granted
       */
      to: string;
      /** @description Who or what has changed it. */
      source: components['schemas']['ChangeSource'];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T16:20:00.000Z
       */
      created_at: string;
    };
    Contact: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4711
       */
      id: number;
      /**
       * @description The address that campaigns write to, in lower case. It is unique in the workspace.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the contact in another system, which the client chooses; null if there is none. It is unique in the workspace.
       * @example crm-20817
       */
      external_id: string | null;
      /**
       * @description The first name; null if unknown. At most 255 characters. In templates: `{{ first_name }}`.
       * @example Claire
       */
      first_name: string | null;
      /**
       * @description The last name; null if unknown. At most 255 characters.
       * @example Martin
       */
      last_name: string | null;
      /**
       * @description The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set.
       * @example Claire Martin
       */
      full_name: string | null;
      /**
       * @description The name of the company as a text; null if unknown. At most 255 characters. It is independent of `company_id`.
       * @example Acme
       */
      company: string | null;
      /**
       * @description The ID of the company that the contact is linked to; null if there is none.
       * @example 12
       */
      company_id: number | null;
      /**
       * @description The phone number, in any notation; null if unknown. At most 50 characters.
       * @example +33 1 70 18 99 00
       */
      phone: string | null;
      /**
       * @description The job title; null if unknown. At most 255 characters.
       * @example Head of Operations
       */
      job_title: string | null;
      /**
       * @description The address of the LinkedIn profile; null if unknown. At most 500 characters.
       * @example https://www.linkedin.com/in/claire-martin
       */
      linkedin_url: string | null;
      /**
       * @description The contact's time zone by its IANA name, such as `Europe/Paris`; null if unknown.
       * @example Europe/Paris
       */
      timezone: string | null;
      /** @description How far the contact is on the way to being a customer. */
      lifecycle_stage: components['schemas']['LifecycleStage'];
      /** @description Whether the service may write to the contact. It changes by itself, by the operations `unsubscribe` and `resubscribe`, and by inputs that say that the contact is out. */
      status: components['schemas']['ContactStatus'];
      /** @description Whether opens and clicks may be measured. */
      tracking_consent: components['schemas']['TrackingConsent'];
      /**
       * Format: date-time
       * @description When the contact agreed or refused; null if it has not been asked.
       * @example 2026-03-02T08:15:30.120Z
       */
      tracking_consent_at: string | null;
      /**
       * @description How the contact has agreed or refused; null if unknown. `unsubscribe page` is the page behind the link of messages.
       * @example Form at the spring fair
       */
      tracking_consent_source: string | null;
      /**
       * @description The contact's values of the custom fields, by key. A value is a string, a number or a boolean.
       * @example {
       *       "employees": 140,
       *       "renewal": "2026-09-30"
       *     }
       */
      custom_fields: {
        [key: string]: string | number | boolean;
      };
      /**
       * Format: date-time
       * @description When the contact was created, or subscribed again.
       * @example 2026-03-02T08:15:30.120Z
       */
      subscribed_at: string | null;
      /**
       * Format: date-time
       * @description When the contact unsubscribed or complained for the first time, here or in another system; null if it has not.
       * @example 2026-03-17T16:45:03.211Z
       */
      unsubscribed_at: string | null;
      /**
       * Format: date-time
       * @description Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused.
       * @example 2026-03-03T09:14:58.310Z
       */
      paused_until: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-09T14:02:11.875Z
       */
      updated_at: string;
      /** @description The tags of the contact, ordered by ID. */
      tags: components['schemas']['Tag'][];
      /** @description The lists that the contact is in, ordered by ID. */
      lists: components['schemas']['ContactList'][];
      /**
       * @description Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the workspace. One that you did not expect is a typo: delete the custom field.
       * @example [
       *       "employees"
       *     ]
       */
      new_custom_fields?: string[];
    };
    ContactCreatedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'contact.created';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Contact'];
    };
    ContactCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['Contact'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    ContactDeletedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'contact.deleted';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Contact'];
    };
    ContactInput: {
      /**
       * Format: email
       * @description The address, at most 254 characters. It is stored in lower case.
       * @example claire.martin@acme.example
       */
      email?: string;
      /**
       * @description The ID of the contact in another system, at most 255 characters, compared exactly. 409 if another contact of the workspace has it. `null` means no value.
       * @example crm-20817
       */
      external_id?: string | null;
      /**
       * @description The first name; null if unknown. At most 255 characters. In templates: `{{ first_name }}`. `null` means no value.
       * @example Claire
       */
      first_name?: string | null;
      /**
       * @description The last name; null if unknown. At most 255 characters. `null` means no value.
       * @example Martin
       */
      last_name?: string | null;
      /**
       * @description The name of the company as a text; null if unknown. At most 255 characters. It is independent of `company_id`. `null` means no value.
       * @example Acme
       */
      company?: string | null;
      /**
       * @description The ID of the company that the contact is linked to; null if there is none. `null` means no value.
       * @example 12
       */
      company_id?: number | null;
      /**
       * @description The phone number, in any notation; null if unknown. At most 50 characters. `null` means no value.
       * @example +33 1 70 18 99 00
       */
      phone?: string | null;
      /**
       * @description The job title; null if unknown. At most 255 characters. `null` means no value.
       * @example Chief Operating Officer
       */
      job_title?: string | null;
      /**
       * @description The address of the LinkedIn profile; null if unknown. At most 500 characters. `null` means no value.
       * @example https://www.linkedin.com/in/claire-martin
       */
      linkedin_url?: string | null;
      /**
       * @description The contact's time zone by its IANA name, such as `Europe/Paris`; null if unknown. `null` means no value.
       * @example Europe/Paris
       */
      timezone?: string | null;
      /** @description How far the contact is on the way to being a customer. `null` means `subscriber`. */
      lifecycle_stage?: components['schemas']['LifecycleStage'] | null;
      /** @description Whether the service may write to the contact. A contact that has opted out in another system is `unsubscribed`, `bounced` or `complained`. No input makes such a contact `active` again: that is 422, and so is another status than `complained` for one that has complained. `null` means `active`. */
      status?: components['schemas']['ContactStatus'] | null;
      /**
       * Format: date-time
       * @description When the contact has unsubscribed, as an instant or a day in UTC, not in the future. It comes with a `status` other than `active`; without it that is now. The earlier one of the stored and the sent date stays. `null` means no value.
       * @example 2026-03-17T16:45:03.211Z
       */
      unsubscribed_at?: string | null;
      /** @description Whether opens and clicks may be measured. A value that differs from the stored one sets `tracking_consent_at`, and `tracking_consent_source` to what the same request names, or null. `null` means `unknown`. */
      tracking_consent?: components['schemas']['TrackingConsent'] | null;
      /**
       * @description How the contact has agreed or refused, such as the name of a form. At most 255 characters. `null` means no value.
       * @example Form at the spring fair
       */
      tracking_consent_source?: string | null;
      /**
       * @description Values by key: at most 100 keys of 1 to 64 letters, digits, underscores and hyphens. A string has at most 5,000 characters. An update keeps the keys that it does not name; null removes a key. A new key becomes a custom field of the workspace, with the type of its first value. `null` means no value.
       * @example {
       *       "employees": 140,
       *       "renewal": "2026-09-30"
       *     }
       */
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      /**
       * @description The IDs of the tags, at most 1,000; records as a response shows them are accepted, too. An update replaces all tags of the contact. `null` means no value.
       * @example [
       *       {
       *         "id": 3,
       *         "name": "Decision maker",
       *         "color": "#2f6f4f",
       *         "created_at": "2026-03-02T08:15:30.120Z",
       *         "updated_at": "2026-03-02T08:15:30.120Z"
       *       }
       *     ]
       */
      tags?: (number | components['schemas']['TagReference'])[] | null;
      /**
       * @description The IDs of the lists, at most 1,000; records as a response shows them are accepted, too. An update replaces all lists of the contact. `null` means no value.
       * @example [
       *       {
       *         "id": 8,
       *         "name": "Spring fair",
       *         "description": null,
       *         "created_at": "2026-03-02T08:15:30.120Z",
       *         "updated_at": "2026-03-02T08:15:30.120Z"
       *       }
       *     ]
       */
      lists?: (number | components['schemas']['ContactListReference'])[] | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4711
       */
      readonly id?: number;
      /**
       * @description The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set.
       * @example Claire Martin
       */
      readonly full_name?: string | null;
      /**
       * Format: date-time
       * @description When the contact agreed or refused; null if it has not been asked.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly tracking_consent_at?: string | null;
      /**
       * Format: date-time
       * @description When the contact was created, or subscribed again.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly subscribed_at?: string | null;
      /**
       * Format: date-time
       * @description Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-09T14:02:11.875Z
       */
      readonly updated_at?: string;
      /**
       * @description Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the workspace. One that you did not expect is a typo: delete the custom field.
       * @example [
       *       "employees"
       *     ]
       */
      readonly new_custom_fields?: string[];
    };
    ContactList: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 8
       */
      id: number;
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Spring fair
       */
      name: string;
      /**
       * @description What the list is for; null if there is no description. At most 1,000 characters.
       * @example Visitors of our stand in Lyon
       */
      description: string | null;
      /**
       * @description How many contacts are in the list. Absent if the list is shown inside a contact.
       * @example 240
       */
      contacts_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      updated_at: string;
    };
    ContactListPage: {
      /** @description The records of this page. */
      data: components['schemas']['ContactList'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    ContactListReference: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 8
       */
      id: number;
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Spring fair
       */
      name?: string;
      /**
       * @description What the list is for; null if there is no description. At most 1,000 characters.
       * @example Visitors of our stand in Lyon
       */
      description?: string | null;
      /**
       * @description How many contacts are in the list. Absent if the list is shown inside a contact.
       * @example 240
       */
      contacts_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      updated_at?: string;
    };
    /**
     * @description Whether the service may write to a contact. It sends to `active` contacts only.
     *
     *     - `active`: Receives the messages of campaigns.
     *     - `unsubscribed`: Has unsubscribed, by the link in a message, by one click in the mail program, or by request.
     *     - `bounced`: The address does not exist: a mail server has refused it for good.
     *     - `complained`: Has marked a message as spam. No operation makes the contact active again.
     * @enum {string}
     */
    ContactStatus: 'active' | 'unsubscribed' | 'bounced' | 'complained';
    ContactUpdatedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'contact.updated';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Contact'];
    };
    CopyTemplate: {
      /**
       * @description The name of the copy. Without one it is the name of the original. `null` means no value.
       * @example First message
       */
      name?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 14
       */
      readonly id?: number;
      /**
       * @description Variables that are neither a field of contacts, nor a custom field of the workspace, nor built in. They will be empty.
       * @example []
       */
      readonly unknown_variables?: string[];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateCampaign: {
      /**
       * @description The name, for you. At most 255 characters.
       * @example Spring fair follow-up
       */
      name: string;
      /** @description The steps in the order of sending, at most 100. More can be added one by one. `null` means `[]`. */
      steps?: components['schemas']['CreateStep'][] | null;
      /**
       * @description What the campaign is for; null if there is no description. At most 1,000 characters. `null` means no value.
       * @example Visitors of our stand
       */
      description?: string | null;
      /**
       * @description The email accounts that send, in turns: at most 1,000 IDs. An account that is named twice counts once. Empty means the default account of the workspace. `null` means `[]`.
       * @example [
       *       5
       *     ]
       */
      email_account_ids?: number[] | null;
      /** @description When messages may be sent; null means at any time. What is due outside of it waits. */
      schedule?: components['schemas']['Schedule'] | null;
      /**
       * @description Whether opens are measured, with an invisible picture in the message. `null` means the setting of the workspace.
       * @example true
       */
      track_opens?: boolean | null;
      /**
       * @description Whether clicks are measured, with links that lead through the service. `null` means the setting of the workspace.
       * @example true
       */
      track_clicks?: boolean | null;
      /**
       * @description Whether a contact that replies gets no further steps. `null` means `true`.
       * @example true
       */
      stop_on_reply?: boolean | null;
      /**
       * @description Whether messages without `{{ unsubscribe_url }}` get a footer: who writes, the postal address of the workspace if it has one, unless the message uses `{{ sender_address }}`, and the unsubscribe link. The header `List-Unsubscribe` is always there. `null` means `true`.
       * @example true
       */
      unsubscribe_footer?: boolean | null;
      /** @description The language of the footer. A contact whose custom field `language` or `locale` names another one of these, such as `fr`, `pt-BR` or `German`, gets the footer in that language. `null` means `en`. */
      language?: components['schemas']['CampaignLanguage'] | null;
      /** @description What happens to a message of which nobody knows whether the mail server accepted it. `null` means `resend`. */
      on_unknown?: components['schemas']['UnknownPolicy'] | null;
      /**
       * @description The share of bounced messages, from 0 to 1, over which the campaign pauses itself, with the `pause_reason` `bounce_rate`: of the messages since its last start, from 50 on. What counts is what the statistics call `bounced`: messages that are refused because their address is dead, and all that are reported as undeliverable later. Null means that it never does.
       * @example 0.1
       */
      stop_at_bounce_rate?: number | null;
      /**
       * @description The share of messages that recipients have marked as spam, from 0 to 1, over which the campaign pauses itself, with the `pause_reason` `complaint_rate`: of the messages since its last start, from 300 on. Null means that it never does.
       * @example 0.003
       */
      stop_at_complaint_rate?: number | null;
      /**
       * @description Whether contacts are skipped when they are enrolled while they have a running enrollment in another active campaign. `null` means `false`.
       * @example false
       */
      skip_running_elsewhere?: boolean | null;
      /**
       * @description Whether a reply of a person ends the running enrollments of all contacts with the same `company_id` in this campaign, whatever `stop_on_reply` says. A contact without a company ends its own one. `null` means `false`.
       * @example false
       */
      stop_company_on_reply?: boolean | null;
      /** @description The lists and segments whose members are enrolled while the campaign is active: those at its start, and those who join later. Null means none. */
      auto_enroll?: components['schemas']['AutoEnroll'] | null;
      /**
       * @description How many contacts may get their first message of the campaign on one day, from 1 to 1,000,000. The other new contacts wait for the next day; later messages to contacts who have got one do not. Null means no limit. A lower number takes effect at once.
       * @example 50
       */
      max_new_contacts_per_day?: number | null;
      /**
       * @description How many days, from 1 to 365, a message waits after the last one to its contact. Null means that it does not.
       * @example 3
       */
      min_days_since_last_message?: number | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 21
       */
      readonly id?: number;
      /** @description Where the campaign is in its life. It changes by the operations `start` and `pause`, and when all contacts are finished. */
      readonly status?: components['schemas']['CampaignStatus'];
      /**
       * @description How many steps it has.
       * @example 3
       */
      readonly steps_count?: number;
      /**
       * @description How many contacts are enrolled, the finished ones included.
       * @example 240
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When it was started for the first time; null if it never was.
       * @example 2026-03-03T07:30:12.480Z
       */
      readonly started_at?: string | null;
      /**
       * Format: date-time
       * @description When it was paused; null if it is not paused.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly paused_at?: string | null;
      /** @description Why the service has paused it; null if it is not paused, or was paused by request. */
      readonly pause_reason?: components['schemas']['PauseReason'] | null;
      /**
       * Format: date-time
       * @description When all contacts were finished; null if it is not completed.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly completed_at?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly updated_at?: string;
    };
    CreateCompany: {
      /**
       * @description The name. At most 255 characters. Two companies can have the same name.
       * @example Acme
       */
      name: string;
      /**
       * Format: idn-hostname
       * @description The company's host name, such as `acme.example`; null if unknown. At most 253 characters. `null` means no value.
       * @example acme.example
       */
      domain?: string | null;
      /**
       * Format: uri
       * @description The address of the website, with `http://` or `https://`; null if unknown. At most 500 characters. `null` means no value.
       * @example https://www.acme.example
       */
      website?: string | null;
      /**
       * @description The industry, in your own words; null if unknown. At most 255 characters. `null` means no value.
       * @example Logistics
       */
      industry?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 12
       */
      readonly id?: number;
      /**
       * @description How many contacts are linked to the company.
       * @example 4
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:10:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:10:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateContact: {
      /**
       * Format: email
       * @description The address, at most 254 characters. It is stored in lower case. 409 if the workspace has a contact with it.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the contact in another system, at most 255 characters, compared exactly. 409 if another contact of the workspace has it. `null` means no value.
       * @example crm-20817
       */
      external_id?: string | null;
      /**
       * @description The first name; null if unknown. At most 255 characters. In templates: `{{ first_name }}`. `null` means no value.
       * @example Claire
       */
      first_name?: string | null;
      /**
       * @description The last name; null if unknown. At most 255 characters. `null` means no value.
       * @example Martin
       */
      last_name?: string | null;
      /**
       * @description The name of the company as a text; null if unknown. At most 255 characters. It is independent of `company_id`. `null` means no value.
       * @example Acme
       */
      company?: string | null;
      /**
       * @description The ID of the company that the contact is linked to; null if there is none. `null` means no value.
       * @example 12
       */
      company_id?: number | null;
      /**
       * @description The phone number, in any notation; null if unknown. At most 50 characters. `null` means no value.
       * @example +33 1 70 18 99 00
       */
      phone?: string | null;
      /**
       * @description The job title; null if unknown. At most 255 characters. `null` means no value.
       * @example Head of Operations
       */
      job_title?: string | null;
      /**
       * @description The address of the LinkedIn profile; null if unknown. At most 500 characters. `null` means no value.
       * @example https://www.linkedin.com/in/claire-martin
       */
      linkedin_url?: string | null;
      /**
       * @description The contact's time zone by its IANA name, such as `Europe/Paris`; null if unknown. `null` means no value.
       * @example Europe/Paris
       */
      timezone?: string | null;
      /** @description How far the contact is on the way to being a customer. `null` means `subscriber`. */
      lifecycle_stage?: components['schemas']['LifecycleStage'] | null;
      /** @description Whether the service may write to the contact. A contact that has opted out in another system is `unsubscribed`, `bounced` or `complained`. No input makes such a contact `active` again: that is 422, and so is another status than `complained` for one that has complained. `null` means `active`. */
      status?: components['schemas']['ContactStatus'] | null;
      /**
       * Format: date-time
       * @description When the contact has unsubscribed, as an instant or a day in UTC, not in the future. It comes with a `status` other than `active`; without it that is now. The earlier one of the stored and the sent date stays. `null` means no value.
       * @example 2026-03-17T16:45:03.211Z
       */
      unsubscribed_at?: string | null;
      /** @description Whether opens and clicks may be measured. A value that differs from the stored one sets `tracking_consent_at`, and `tracking_consent_source` to what the same request names, or null. `null` means `unknown`. */
      tracking_consent?: components['schemas']['TrackingConsent'] | null;
      /**
       * @description How the contact has agreed or refused, such as the name of a form. At most 255 characters. `null` means no value.
       * @example Form at the spring fair
       */
      tracking_consent_source?: string | null;
      /**
       * @description Values by key: at most 100 keys of 1 to 64 letters, digits, underscores and hyphens. A string has at most 5,000 characters. An update keeps the keys that it does not name; null removes a key. A new key becomes a custom field of the workspace, with the type of its first value. `null` means no value.
       * @example {
       *       "employees": 140,
       *       "renewal": "2026-09-30"
       *     }
       */
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      /**
       * @description The IDs of the tags, at most 1,000; records as a response shows them are accepted, too. An update replaces all tags of the contact. `null` means no value.
       * @example [
       *       3
       *     ]
       */
      tags?: (number | components['schemas']['TagReference'])[] | null;
      /**
       * @description The IDs of the lists, at most 1,000; records as a response shows them are accepted, too. An update replaces all lists of the contact. `null` means no value.
       * @example [
       *       8
       *     ]
       */
      lists?: (number | components['schemas']['ContactListReference'])[] | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4711
       */
      readonly id?: number;
      /**
       * @description The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set.
       * @example Claire Martin
       */
      readonly full_name?: string | null;
      /**
       * Format: date-time
       * @description When the contact agreed or refused; null if it has not been asked.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly tracking_consent_at?: string | null;
      /**
       * Format: date-time
       * @description When the contact was created, or subscribed again.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly subscribed_at?: string | null;
      /**
       * Format: date-time
       * @description Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-09T14:02:11.875Z
       */
      readonly updated_at?: string;
      /**
       * @description Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the workspace. One that you did not expect is a typo: delete the custom field.
       * @example [
       *       "employees"
       *     ]
       */
      readonly new_custom_fields?: string[];
    };
    CreateCustomField: {
      /**
       * @description The name in `custom_fields`, in templates (`{{ key }}`) and in conditions (`custom_fields.<key>`): 1 to 64 letters, digits, underscores and hyphens. Unique in the workspace; it never changes.
       * @example employees
       */
      key: string;
      /**
       * @description Defaults to the key. `null` means no value.
       * @example Number of employees
       */
      label?: string | null;
      /** @description The type of all values. A value of another type is refused. */
      type: components['schemas']['CustomFieldType'];
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 2
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:05:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:05:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateEmailAccount: {
      /**
       * @description The name, for you. At most 255 characters.
       * @example Julie's mailbox
       */
      name: string;
      /**
       * @description `smtp` or `sendgrid`. Accounts of Google and Microsoft are connected by `POST /email-accounts/oauth/{provider}`.
       * @example smtp
       * @enum {string}
       */
      type: 'smtp' | 'sendgrid';
      /**
       * Format: email
       * @description The sender's address in the header `From`.
       * @example julie@acme-events.example
       */
      from_email: string;
      /**
       * @description The sender's name in the header `From`. At most 255 characters, in one line.
       * @example Julie Bernard
       */
      from_name: string;
      /**
       * @description How many messages it sends in a day (UTC) at most. `null` means `500`.
       * @default 500
       * @example 200
       */
      daily_limit: number | null;
      /**
       * @description At least so many seconds lie between two messages, and up to half as much more at random, across all campaigns and workers. 0: none. `null` means `0`.
       * @default 0
       * @example 120
       */
      min_seconds_between: number | null;
      /**
       * @description Warms the account up: it sends at most so many messages on the first day, and `ramp_per_day` more on each day that follows, until `daily_limit` is reached. Days on which nothing was due do not count. A new value begins anew, null ends the ramp. `null` means no value.
       * @example 20
       */
      ramp_start?: number | null;
      /**
       * @description By how many messages the limit grows per day. `null` means `5`.
       * @default 5
       * @example 10
       */
      ramp_per_day: number | null;
      /**
       * @description Whether it sends. `null` means `true`.
       * @default true
       * @example true
       */
      is_active: boolean | null;
      /**
       * @description The mail server's host name or IP address, at most 255 characters. Private addresses are refused unless the operator allows them. Whether it is required depends on `type`.
       * @example smtp.gmail.com
       */
      smtp_host?: string;
      /**
       * @description The port: 587 and 2525 usually with `tls`, 465 with `ssl`. Whether it is required depends on `type`.
       * @example 587
       * @enum {integer}
       */
      smtp_port?: 25 | 465 | 587 | 993 | 995 | 2525;
      /**
       * @description The user name at the mail server, at most 255 characters. It is never shown. Whether it is required depends on `type`.
       * @example julie@acme-events.example
       */
      smtp_username?: string;
      /**
       * @description The password, at most 1,000 characters. It is stored encrypted and never shown. Whether it is required depends on `type`.
       * @example a-long-app-password
       */
      smtp_password?: string;
      /**
       * @description How the connection is encrypted.
       * @default tls
       */
      smtp_encryption: components['schemas']['SmtpEncryption'] | null;
      /**
       * @description The host name or IP address of the IMAP server, at most 255 characters, if replies and reports are to be read from the mailbox. Private addresses are refused unless the operator allows them. `null` means no value.
       * @example imap.gmail.com
       */
      imap_host?: string | null;
      /**
       * @description The port: 993 usually with `ssl`, 143 with `tls`.
       * @default 993
       * @example 993
       */
      imap_port: number | null;
      /**
       * @description The user name at the IMAP server, at most 255 characters; that of SMTP by default. It is never shown. `null` means no value.
       * @example julie@acme-events.example
       */
      imap_username?: string | null;
      /**
       * @description The password, at most 1,000 characters; that of SMTP by default. It is stored encrypted and never shown. `null` means no value.
       * @example a-long-app-password
       */
      imap_password?: string | null;
      /**
       * @description How the connection to the IMAP server is encrypted.
       * @default ssl
       */
      imap_encryption: components['schemas']['ImapEncryption'] | null;
      /**
       * @description An API key of SendGrid with the permission "Mail Send", at most 1,000 characters. It is stored encrypted and never shown. Whether it is required depends on `type`.
       * @example SG.kq3m0
       */
      sendgrid_api_key?: string;
      /**
       * @description The "Verification Key" of SendGrid's signed event webhook (base64). It is required to receive deliveries, bounces, opens and clicks from SendGrid. If a workspace has more than ten keys, events about its messages are verified with those of the accounts that have sent them, other requests with those of its ten newest accounts. `null` means no value.
       * @example MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O
       */
      sendgrid_webhook_key?: string | null;
      /**
       * @description The domain for which messages are signed (DKIM): that of `from_email`, or one above it. It needs `dkim_selector` and `dkim_private_key`. Not for SendGrid, which signs itself. `null` means no value.
       * @example acme-events.example
       */
      dkim_domain?: string | null;
      /**
       * @description The selector of the key, at most 100 characters: publish the public key as a TXT record at `{dkim_selector}._domainkey.{dkim_domain}`. `null` means no value.
       * @example outreach
       */
      dkim_selector?: string | null;
      /**
       * @description The private key: RSA with 1,024 to 4,096 bits, or Ed25519, as PEM in PKCS#8 or PKCS#1 without a passphrase. It is stored encrypted and never shown. `null` means no value.
       * @example -----BEGIN PRIVATE KEY-----
       *     MC4CAQAwBQYDK2VwBCIEIJ
       *     -----END PRIVATE KEY-----
       */
      dkim_private_key?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 5
       */
      readonly id?: number;
      /**
       * @description Whether campaigns without accounts of their own send from it. One account of the workspace is the default.
       * @example true
       */
      readonly is_default?: boolean;
      /** @description Why the service has set `is_active` to `false`; null if it has not. An update with `is_active: true` clears it, and so does connecting the account again. */
      readonly disabled_reason?: components['schemas']['DisabledReason'] | null;
      /**
       * Format: date-time
       * @description When the service did so; null if it has not.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly disabled_at?: string | null;
      /**
       * Format: date
       * @description The first day (UTC) of the ramp; null without a ramp. It is set when `ramp_start` is set or changed.
       * @example 2026-03-02
       */
      readonly ramp_started_on?: string | null;
      /**
       * @description How many messages it has sent today (UTC).
       * @example 0
       */
      readonly sent_today?: number;
      /**
       * Format: date-time
       * @description When it sent the last message; null if it never has.
       * @example 2026-03-03T09:14:27.052Z
       */
      readonly last_used_at?: string | null;
      /**
       * Format: date-time
       * @description Until when its messages wait because its provider or relay has said that it sends too many (`provider_limit`); null if they do not. The waits get longer, up to an hour and a half, until a message is accepted.
       * @example 2026-03-03T09:29:27.052Z
       */
      readonly limited_until?: string | null;
      /**
       * @description Whether its mailbox is read: always for `google` and `microsoft`, for `smtp` if it has an `imap_host`.
       * @example true
       */
      readonly reads_mailbox?: boolean;
      /**
       * Format: date-time
       * @description When its mailbox was last read to the end; null if it never was. It stands still while reading fails.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly mailbox_read_at?: string | null;
      /**
       * @description Why its mailbox could not be read when it was tried last, or which mail its server does not give: the mails behind that one are read, and it is tried again for 7 days. Null if neither is so.
       * @example The mail 4711 in the folder INBOX could not be read: imap.gmail.com, port 993: the server replied Internal error (SERVERBUG)
       */
      readonly last_error?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:50:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:50:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateList: {
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Spring fair
       */
      name: string;
      /**
       * @description What the list is for; null if there is no description. At most 1,000 characters. `null` means no value.
       * @example Visitors of our stand in Lyon
       */
      description?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 8
       */
      readonly id?: number;
      /**
       * @description How many contacts are in the list. Absent if the list is shown inside a contact.
       * @example 240
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly updated_at?: string;
    };
    CreateSegment: {
      /**
       * @description The name. At most 255 characters.
       * @example Decision makers of large companies
       */
      name: string;
      /**
       * @description What the segment is for; null if there is no description. At most 1,000 characters. `null` means no value.
       * @example To be called by sales
       */
      description?: string | null;
      /** @description How conditions without a `connector` are joined. */
      match_type: components['schemas']['MatchType'];
      /** @description 1 to 20 conditions. */
      conditions: components['schemas']['Condition'][];
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 9
       */
      readonly id?: number;
      /**
       * @description How many contacts matched at `contacts_counted_at`.
       * @example 1
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When the contacts were counted. A large segment is not counted again at each request.
       * @example 2026-03-02T08:30:00.000Z
       */
      readonly contacts_counted_at?: string;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:30:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:30:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateStep: {
      /**
       * @description The subject, with variables as in a template. At most 500 characters, in one line. Required without `template_id`. Whether it is required depends on `template_id`.
       * @example Good to meet you, {{ first_name }}
       */
      subject?: string;
      /**
       * @description The HTML, with variables as in a template. At most 256 KB. Required without `template_id`. Whether it is required depends on `template_id`.
       * @example <p>Hello {{ first_name }}, here are the slides.</p>
       */
      body?: string;
      /**
       * @description The place in the sequence, from 1; the steps from there on move up by one. A position after the end means the end, and so does none. `null` means no value.
       * @example 1
       */
      position?: number | null;
      /**
       * @description The template to copy `subject` and `body` from, where they are absent. `null` means no value.
       * @example 14
       */
      template_id?: number | null;
      /**
       * @description The pause in minutes after the previous step was sent, 0 to 525,600 (a year); for the first step after the contact was enrolled, or the campaign was started. A day has 1,440 minutes. `null` means `0`.
       * @example 10080
       */
      delay_minutes?: number | null;
      /**
       * @description Whether it is sent as a reply to the previous message, so that mail programs show both together. `null` means `false`.
       * @example false
       */
      same_thread?: boolean | null;
      /** @description A condition on the opens and clicks of people in the messages of earlier steps; null if there is none. It is evaluated once, when the step is due: where it does not hold, the contact goes on with the next step, whose delay counts from then. Where nothing was sent before, `opened` and `clicked` do not hold. `null` means no value. */
      only_if?: components['schemas']['StepCondition'] | null;
      /**
       * @description The names of at most 500 variables: fields of contacts, and custom fields with or without `custom_fields.` `null` means `[]`.
       * @example [
       *       "first_name"
       *     ]
       */
      required_variables?: string[] | null;
      /** @description At most five texts, of which each contact gets one; an update replaces all variants of the step. `null` means `[]`. */
      variants?: components['schemas']['Variant'][] | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 63
       */
      readonly id?: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      readonly campaign_id?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateTag: {
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Decision maker
       */
      name: string;
      /**
       * @description The colour in which to show the tag, as `#rrggbb`; null if there is none. `null` means no value.
       * @example #2f6f4f
       */
      color?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly updated_at?: string;
    };
    CreateTemplate: {
      /**
       * @description The name, for you. At most 255 characters.
       * @example After the fair
       */
      name: string;
      /**
       * @description The subject, with variables such as `{{ first_name }}`. At most 500 characters, in one line.
       * @example Good to meet you, {{ first_name | default: "and thank you" }}
       */
      subject: string;
      /**
       * @description At most 256 KB, with at most 500 variables.
       * @example <p>Hello {{ first_name }},</p><p>thank you for your visit. How do you plan for {{ employees }} people?</p><p>{{ sender.name }}</p>
       */
      body: string;
      /** @description What the template is for. `null` means `other`. */
      category?: components['schemas']['TemplateCategory'] | null;
      /**
       * @description Names of variables to list first, at most 500. Those in subject and body are found without them. `null` means `[]`.
       * @example [
       *       "first_name",
       *       "employees",
       *       "sender.name"
       *     ]
       */
      variables?: string[] | null;
      /**
       * @description Whether the template is in the library of the workspace. `null` means `false`.
       * @example true
       */
      is_library?: boolean | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 14
       */
      readonly id?: number;
      /**
       * @description Variables that are neither a field of contacts, nor a custom field of the workspace, nor built in. They will be empty.
       * @example []
       */
      readonly unknown_variables?: string[];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly updated_at?: string;
    };
    CreateToken: {
      /**
       * @description What the token is for. At most 255 characters.
       * @example Sign-up form
       */
      name: string;
      /** @description What the token may do: areas with `:read` or `:write`, none of which implies the other. Only permissions of the calling token are possible. */
      permissions: components['schemas']['Permission'][];
      /**
       * Format: date-time
       * @description When the token ends: an instant with its offset (ISO 8601), at most that of the calling token. Without one it does not end. `null` means no value.
       * @example 2036-12-31T23:00:00Z
       */
      expires_at?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When it was last used, to the minute; null if it never was.
       * @example 2026-03-03T09:14:27.052Z
       */
      readonly last_used_at?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * @description The token for the header `Authorization`. This is the only response that shows it.
       * @example out_Zk3v0m8Yd1qT5rWc7uXh2nJb6sLp9aEf4gKi0oMy
       */
      readonly token?: string;
    };
    CreateWebhook: {
      /**
       * Format: uri
       * @description Where to send events: an `https` URL of at most 255 characters, at a public host, without credentials and fragment.
       * @example https://crm.example.com/hooks/outreach
       */
      url: string;
      /** @description The events to receive, at least one. */
      events: components['schemas']['EventName'][];
      /**
       * @description Whether events are sent. `null` means `true`.
       * @default true
       * @example true
       */
      is_active: boolean | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When an event was last sent, with or without success; null if none was.
       * @example 2026-03-03T09:14:28.310Z
       */
      readonly last_triggered_at?: string | null;
      /**
       * @description How many attempts in a row have failed. A success sets it to 0. Attempts with a former `url` or secret do not count.
       * @example 0
       */
      readonly failure_count?: number;
      /**
       * Format: date-time
       * @description Until when nothing is attempted, because the last attempt has failed; null if nothing has to wait for that. A new `url`, a new secret and `is_active: true` end the pause.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the next attempt at a delivery is made: after its own pause and that of the webhook; in the past if it is its turn now. Null if nothing waits, or only what an inactive webhook does not get.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly next_attempt_at?: string | null;
      /**
       * @description How many deliveries are due or wait for their next attempt, counted up to 10,000. Those of an inactive webhook wait until it is active again, for at most 28 hours.
       * @example 0
       */
      readonly pending_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly updated_at?: string;
      /**
       * @description The key with which deliveries are signed. This is the only response that shows it.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1z0n5lq3o8E=
       */
      readonly secret?: string;
    };
    CurrentToken: {
      /**
       * @description The ID of the token.
       * @example 1
       */
      id: number;
      /**
       * @description What the token is for.
       * @example CRM
       */
      name: string;
      /** @description What the token may do. */
      permissions: components['schemas']['Permission'][];
      /**
       * Format: date-time
       * @description When it ends; null if it does not.
       * @example 2036-12-31T23:00:00.000Z
       */
      expires_at: string | null;
    };
    /** @description Absolute URLs of other pages, with the filters of this one. With `cursor`, only `next` has a value. */
    CursorPageLinks: {
      /**
       * Format: uri
       * @description The first page; null with `cursor`.
       * @example http://localhost:3000/v1/contacts?page=1
       */
      first: string | null;
      /**
       * Format: uri
       * @description The last page; null with `cursor` and with `total=0`.
       * @example http://localhost:3000/v1/contacts?page=1
       */
      last: string | null;
      /**
       * Format: uri
       * @description The previous page; null on the first one and with `cursor`.
       * @example http://localhost:3000/v1/contacts?page=1
       */
      prev: string | null;
      /**
       * Format: uri
       * @description The next page; null on the last one.
       * @example http://localhost:3000/v1/contacts?page=3
       */
      next: string | null;
    };
    CursorPageMeta: {
      /**
       * @description The number of this page, from 1; null with `cursor`.
       * @example 1
       */
      current_page: number | null;
      /**
       * @description The number of the last page; null with `total=0`.
       * @example 1
       */
      last_page: number | null;
      /**
       * @description The number of records on all pages; null with `total=0`.
       * @example 1
       */
      total: number | null;
      /**
       * @description The largest number of records on a page.
       * @example 25
       */
      per_page: number;
      /**
       * @description The number of records on this page.
       * @example 1
       */
      count: number;
      /**
       * @description The `cursor` of the next page, null on the last one. Only with `cursor`.
       * @example WyIyMDI2LTAzLTAyVDA5OjAwOjAwLjAwMFoiLDQ3MTFdq0VtZmlLbzJQbTNXd1hZ
       */
      next_cursor?: string | null;
    };
    CustomField: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 2
       */
      id: number;
      /**
       * @description The name in `custom_fields`, in templates (`{{ key }}`) and in conditions (`custom_fields.<key>`): 1 to 64 letters, digits, underscores and hyphens. Unique in the workspace; it never changes.
       * @example employees
       */
      key: string;
      /**
       * @description The name for people. At most 255 characters. Without one it is the key.
       * @example Number of employees
       */
      label: string;
      /** @description The type of all values. A value of another type is refused. */
      type: components['schemas']['CustomFieldType'];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:05:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:05:00.000Z
       */
      updated_at: string;
    };
    CustomFieldPage: {
      /** @description The records of this page. */
      data: components['schemas']['CustomField'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    /**
     * @description The type of all values of a custom field. It never changes.
     *
     *     - `text`: A string of at most 5,000 characters.
     *     - `number`: A JSON number. Segments compare it by size.
     *     - `boolean`: `true` or `false`.
     *     - `date`: A day such as `2026-09-30`, or an instant with its offset (ISO 8601). Segments compare it by time.
     * @enum {string}
     */
    CustomFieldType: 'text' | 'number' | 'boolean' | 'date';
    /**
     * @description Why the service has made an account inactive.
     *
     *     - `login_refused`: The mail server or the provider refuses its credentials.
     *     - `consent_withdrawn`: The owner of the mailbox has withdrawn the consent at Google or Microsoft: connect it again.
     *     - `bounce_rate`: Too many of its messages bounced.
     *     - `sender_refused`: Its mail server has refused ten recipients in a row with the same words: at five domains or more, or all of the first ten. Mend the account and make it active; its messages wait for that.
     * @enum {string}
     */
    DisabledReason: 'login_refused' | 'consent_withdrawn' | 'bounce_rate' | 'sender_refused';
    DomainCheck: {
      /** @description How the records are. */
      status: components['schemas']['CheckStatus'];
      /**
       * @description What was found, several records in lines of their own; null if nothing was.
       * @example v=spf1 include:_spf.google.com ~all
       */
      record: string | null;
      /**
       * @description What it means, and what to do, in a sentence.
       * @example The record is valid and needs 4 of 10 DNS lookups.
       */
      message: string;
    };
    DuplicateTemplate: {
      /**
       * @description The name of the copy. Without one it is the name of the original, followed by ` (Copy)`. `null` means no value.
       * @example After the autumn fair
       */
      name?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 14
       */
      readonly id?: number;
      /**
       * @description Variables that are neither a field of contacts, nor a custom field of the workspace, nor built in. They will be empty.
       * @example []
       */
      readonly unknown_variables?: string[];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly updated_at?: string;
    };
    EmailAccount: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 5
       */
      id: number;
      /**
       * @description The name, for you. At most 255 characters.
       * @example Julie's mailbox
       */
      name: string;
      /**
       * @description The sender's address in the header `From`.
       * @example julie@acme-events.example
       */
      from_email: string;
      /**
       * @description The sender's name in the header `From`. At most 255 characters, in one line.
       * @example Julie Bernard
       */
      from_name: string;
      /** @description How the account sends. It never changes. */
      type: components['schemas']['EmailAccountType'];
      /**
       * @description Whether campaigns without accounts of their own send from it. One account of the workspace is the default.
       * @example true
       */
      is_default: boolean;
      /**
       * @description Whether it sends. The service sets it to `false` for one of the reasons in `disabled_reason`.
       * @example true
       */
      is_active: boolean;
      /** @description Why the service has set `is_active` to `false`; null if it has not. An update with `is_active: true` clears it, and so does connecting the account again. */
      disabled_reason: components['schemas']['DisabledReason'] | null;
      /**
       * Format: date-time
       * @description When the service did so; null if it has not.
       * @example 2026-03-17T16:45:03.211Z
       */
      disabled_at: string | null;
      /**
       * @description How many messages it sends in a day (UTC) at most: 1 to 10,000.
       * @example 200
       */
      daily_limit: number;
      /**
       * @description How many seconds lie between two of its messages at least: 0 to 86,400. Up to half as much is added at random, anew for each message. 0: none.
       * @example 120
       */
      min_seconds_between: number;
      /**
       * @description How many messages it sends at most on the first day of its ramp; null without a ramp.
       * @example 20
       */
      ramp_start: number | null;
      /**
       * @description By how many messages the limit grows on each day of the ramp, up to `daily_limit`.
       * @example 10
       */
      ramp_per_day: number;
      /**
       * Format: date
       * @description The first day (UTC) of the ramp; null without a ramp. It is set when `ramp_start` is set or changed.
       * @example 2026-03-02
       */
      ramp_started_on: string | null;
      /**
       * @description How many messages it has sent today (UTC).
       * @example 0
       */
      sent_today: number;
      /**
       * Format: date-time
       * @description When it sent the last message; null if it never has.
       * @example 2026-03-03T09:14:27.052Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description Until when its messages wait because its provider or relay has said that it sends too many (`provider_limit`); null if they do not. The waits get longer, up to an hour and a half, until a message is accepted.
       * @example 2026-03-03T09:29:27.052Z
       */
      limited_until: string | null;
      /**
       * @description The mail server's host name or IP address; null if the type is not `smtp`.
       * @example smtp.gmail.com
       */
      smtp_host: string | null;
      /**
       * @description The mail server's port; null if the type is not `smtp`.
       * @example 587
       */
      smtp_port: number | null;
      /** @description How the connection is encrypted; null if the type is not `smtp`. */
      smtp_encryption: components['schemas']['SmtpEncryption'] | null;
      /**
       * @description The host name or IP address of the IMAP server from which its mail is read; null if the type is not `smtp`, or if it is not read.
       * @example imap.gmail.com
       */
      imap_host: string | null;
      /**
       * @description The IMAP server's port; null if the type is not `smtp`.
       * @example 993
       */
      imap_port: number | null;
      /** @description How the connection to the IMAP server is encrypted; null if the type is not `smtp`. */
      imap_encryption: components['schemas']['ImapEncryption'] | null;
      /**
       * @description Whether its mailbox is read: always for `google` and `microsoft`, for `smtp` if it has an `imap_host`.
       * @example true
       */
      reads_mailbox: boolean;
      /**
       * Format: date-time
       * @description When its mailbox was last read to the end; null if it never was. It stands still while reading fails.
       * @example 2026-03-17T16:45:03.211Z
       */
      mailbox_read_at: string | null;
      /**
       * @description Why its mailbox could not be read when it was tried last, or which mail its server does not give: the mails behind that one are read, and it is tried again for 7 days. Null if neither is so.
       * @example The mail 4711 in the folder INBOX could not be read: imap.gmail.com, port 993: the server replied Internal error (SERVERBUG)
       */
      last_error: string | null;
      /**
       * @description The domain for which messages are signed (DKIM); null if the service does not sign them. It never shows the private key.
       * @example acme-events.example
       */
      dkim_domain: string | null;
      /**
       * @description The selector of the key: its public part is at `{dkim_selector}._domainkey.{dkim_domain}`; null without DKIM.
       * @example outreach
       */
      dkim_selector: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:50:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:50:00.000Z
       */
      updated_at: string;
    };
    EmailAccountDisabledEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email_account.disabled';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailAccount'];
    };
    EmailAccountDomain: {
      /**
       * @description The domain of `from_email`.
       * @example acme-events.example
       */
      domain: string;
      /** @description Whether replies and bounces reach the domain: it fails without MX record and address, and warns without MX record. */
      mx: components['schemas']['DomainCheck'];
      /** @description Which servers may send for the domain (RFC 7208), with the records that it includes. It fails without a record, with several, if they need more than ten lookups, are not valid or let every server pass, and warns if they do not include the servers of the account's provider. */
      spf: components['schemas']['DomainCheck'];
      /** @description The public keys of the signatures (RFC 6376): at the account's `dkim_selector`, else at the selectors of its provider. It fails without a valid key, or if the key is not that of `dkim_private_key`, warns below 2,048 bits or with several keys at one name, and is `unknown` if no selector is known. */
      dkim: components['schemas']['DomainCheck'];
      /** @description What receivers do with mail that is not authenticated (RFC 7489), from the record of the domain or of the domain that is registered. It fails without a record, and warns if the policy is `none`. */
      dmarc: components['schemas']['DomainCheck'];
      /**
       * Format: date-time
       * @description When the name servers were asked.
       * @example 2026-03-03T09:14:27.052Z
       */
      checked_at: string;
    };
    EmailAccountMailSkippedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email_account.mail_skipped';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailAccount'];
    };
    EmailAccountPage: {
      /** @description The records of this page. */
      data: components['schemas']['EmailAccount'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    EmailAccountStats: {
      /**
       * @description How many messages it has sent today (UTC).
       * @example 48
       */
      sent_today: number;
      /**
       * @description How many messages it sends in a day (UTC) at most.
       * @example 200
       */
      daily_limit: number;
      /**
       * @description How many it may send today: `daily_limit`, or less while it ramps up.
       * @example 130
       */
      effective_limit_today: number;
      /**
       * @description How many more it may send today.
       * @example 82
       */
      remaining_today: number;
      /**
       * @description Whether it is active and may send more today.
       * @example true
       */
      can_send_today: boolean;
      /**
       * @description How many messages it has ever sent.
       * @example 1310
       */
      total_sent: number;
      /**
       * @description How many messages it has sent in the last 7 days.
       * @example 402
       */
      sent_last_7_days: number;
      /**
       * @description How many messages it has sent in the last 30 days.
       * @example 1310
       */
      sent_last_30_days: number;
      /**
       * Format: date-time
       * @description When it sent the last message; null if it never has.
       * @example 2026-03-03T09:14:27.052Z
       */
      last_used_at: string | null;
    };
    /**
     * @description How an email account sends.
     *
     *     - `smtp`: By SMTP, with a user name and a password.
     *     - `sendgrid`: By the API of SendGrid, with an API key.
     *     - `google`: By Gmail, connected by OAuth.
     *     - `microsoft`: By Microsoft 365, connected by OAuth.
     * @enum {string}
     */
    EmailAccountType: 'smtp' | 'sendgrid' | 'google' | 'microsoft';
    EmailBotActivity: {
      /**
       * @description The header `Message-ID`, without angle brackets; null if the event does not belong to a message.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description The ID of the campaign; null if the event does not belong to a message.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The ID of the step; null if there is none.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The ID of the variant of the step; null if there is none.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The ID of the enrollment; null if there is none.
       * @example 10482
       */
      enrollment_id: number | null;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the email account that sent the message; null if there is none.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject of the message; null if there is none.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-03T09:14:27.052Z
       */
      occurred_at: string;
      /**
       * @description Which event the request would be if a person had made it.
       * @example clicked
       * @enum {string}
       */
      type: 'opened' | 'clicked';
      /**
       * @description Always true, as opposed to `email.opened` and `email.clicked`.
       * @example true
       */
      is_bot: boolean;
      /** @description Why the request does not count. */
      bot_reason: components['schemas']['BotReason'];
      /**
       * @description The target of the link. Absent if `type` is `opened`.
       * @example https://acme-events.example/spring/slides
       */
      url?: string;
    };
    EmailBotActivityEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.bot_activity';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailBotActivity'];
    };
    EmailBounced: {
      /**
       * @description The header `Message-ID`, without angle brackets; null if the event does not belong to a message.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description The ID of the campaign; null if the event does not belong to a message.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The ID of the step; null if there is none.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The ID of the variant of the step; null if there is none.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The ID of the enrollment; null if there is none.
       * @example 10482
       */
      enrollment_id: number | null;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the email account that sent the message; null if there is none.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject of the message; null if there is none.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-03T09:14:27.052Z
       */
      occurred_at: string;
      /** @description Why the message was refused. */
      bounce: components['schemas']['Bounce'];
    };
    EmailBouncedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.bounced';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailBounced'];
    };
    EmailClicked: {
      /**
       * @description The header `Message-ID`, without angle brackets; null if the event does not belong to a message.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description The ID of the campaign; null if the event does not belong to a message.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The ID of the step; null if there is none.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The ID of the variant of the step; null if there is none.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The ID of the enrollment; null if there is none.
       * @example 10482
       */
      enrollment_id: number | null;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the email account that sent the message; null if there is none.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject of the message; null if there is none.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-03T09:14:27.052Z
       */
      occurred_at: string;
      /**
       * @description Always false: what bots do is `email.bot_activity`.
       * @example false
       */
      is_bot: boolean;
      /**
       * @description The target of the clicked link.
       * @example https://acme-events.example/spring/slides
       */
      url: string;
    };
    EmailClickedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.clicked';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailClicked'];
    };
    EmailComplainedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.complained';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailEvent'];
    };
    EmailDeliveredEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.delivered';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailEvent'];
    };
    EmailEvent: {
      /**
       * @description The header `Message-ID`, without angle brackets; null if the event does not belong to a message.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description The ID of the campaign; null if the event does not belong to a message.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The ID of the step; null if there is none.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The ID of the variant of the step; null if there is none.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The ID of the enrollment; null if there is none.
       * @example 10482
       */
      enrollment_id: number | null;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the email account that sent the message; null if there is none.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject of the message; null if there is none.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-03T09:14:27.052Z
       */
      occurred_at: string;
    };
    EmailOpened: {
      /**
       * @description The header `Message-ID`, without angle brackets; null if the event does not belong to a message.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description The ID of the campaign; null if the event does not belong to a message.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The ID of the step; null if there is none.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The ID of the variant of the step; null if there is none.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The ID of the enrollment; null if there is none.
       * @example 10482
       */
      enrollment_id: number | null;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the email account that sent the message; null if there is none.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject of the message; null if there is none.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-03T09:14:27.052Z
       */
      occurred_at: string;
      /**
       * @description Always false: what bots do is `email.bot_activity`.
       * @example false
       */
      is_bot: boolean;
    };
    EmailOpenedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.opened';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailOpened'];
    };
    EmailReplied: {
      /**
       * @description The header `Message-ID`, without angle brackets; null if the event does not belong to a message.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description The ID of the campaign; null if the event does not belong to a message.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The ID of the step; null if there is none.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The ID of the variant of the step; null if there is none.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The ID of the enrollment; null if there is none.
       * @example 10482
       */
      enrollment_id: number | null;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The ID of the email account that sent the message; null if there is none.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject of the message; null if there is none.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-03T09:14:27.052Z
       */
      occurred_at: string;
      /** @description The reply that was received. */
      reply: components['schemas']['ReceivedReply'];
    };
    EmailRepliedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.replied';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailReplied'];
    };
    EmailSentEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.sent';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailEvent'];
    };
    EmailUnsubscribedEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'email.unsubscribed';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['EmailEvent'];
    };
    EnrollContacts: {
      /**
       * @description The IDs of 1 to 10,000 contacts. IDs that do not exist are ignored, and an ID that is named twice counts once.
       * @example [
       *       4711
       *     ]
       */
      contact_ids: number[];
    };
    EnrolledContacts: {
      /**
       * @description The result in a sentence, for people.
       * @example Contacts enrolled: 1; skipped: 0.
       */
      message: string;
      /**
       * @description How many contacts are enrolled now that were not before.
       * @example 1
       */
      enrolled: number;
      /**
       * @description How many were not enrolled, because they are already, because their status is not `active`, or because of `skip_running_elsewhere`.
       * @example 0
       */
      skipped: number;
    };
    EnrollFromLists: {
      /**
       * @description The IDs of lists. Together with `segment_ids` there are 1 to 10,000 IDs. `null` means `[]`.
       * @example [
       *       8
       *     ]
       */
      list_ids?: number[] | null;
      /**
       * @description The IDs of segments. The contacts that match at this moment are enrolled. `null` means `[]`.
       * @example [
       *       9
       *     ]
       */
      segment_ids?: number[] | null;
    };
    Enrollment: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 10482
       */
      id: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      campaign_id: number;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The step that is sent next, or the last one if the enrollment is finished; null if the campaign has no steps.
       * @example 63
       */
      current_step_id: number | null;
      /** @description How far the contact is. */
      status: components['schemas']['EnrollmentStatus'];
      /**
       * Format: date-time
       * @description When the enrollment ended; null while it runs.
       * @example 2026-03-17T16:45:03.211Z
       */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description The earliest time at which the next message can be sent, of what is known now: the delay of the step, the schedule, the absence of the contact, and the limits of the account. A time in the past means that it is sent as soon as its turn comes. Null if the enrollment has ended, the campaign is not active, or something has to change first.
       * @example 2026-03-03T08:00:00.000Z
       */
      next_send_at: string | null;
      /** @description Why the next message is not sent sooner; null if only the delay of its step is the reason. */
      waiting_for: components['schemas']['WaitReason'] | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:05:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:05:00.000Z
       */
      updated_at: string;
      /** @description The contact, with its tags and lists. */
      contact: components['schemas']['Contact'];
      /** @description The step with the ID `current_step_id`. */
      current_step: components['schemas']['Step'] | null;
    };
    EnrollmentCounts: {
      /**
       * @description Enrollments to which nothing was sent yet.
       * @example 12
       */
      pending: number;
      /**
       * @description Enrollments that have got a step and wait for the next one.
       * @example 201
       */
      in_progress: number;
      /**
       * @description Enrollments that have got all steps, or whose contact has replied.
       * @example 19
       */
      completed: number;
      /**
       * @description Enrollments that ended because a message could not be delivered, or the address is on the blacklist.
       * @example 6
       */
      failed: number;
      /**
       * @description Enrollments whose contact has unsubscribed or complained.
       * @example 2
       */
      unsubscribed: number;
    };
    EnrollmentCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['Enrollment'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    EnrollmentProgress: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 10482
       */
      id: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      campaign_id: number;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The step that is sent next, or the last one if the enrollment is finished; null if the campaign has no steps.
       * @example 64
       */
      current_step_id: number | null;
      /** @description How far the contact is. */
      status: components['schemas']['EnrollmentStatus'];
      /**
       * Format: date-time
       * @description When the enrollment ended; null while it runs.
       * @example 2026-03-17T16:45:03.211Z
       */
      completed_at: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T16:20:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-03T09:14:27.052Z
       */
      updated_at: string;
    };
    /**
     * @description How far a contact is in a campaign. `completed`, `failed` and `unsubscribed` are final: nothing more is sent.
     *
     *     - `pending`: Nothing was sent to the contact yet.
     *     - `in_progress`: At least one step was sent, and others follow.
     *     - `completed`: The last step was sent, or the contact has replied.
     *     - `failed`: A message could not be delivered for good, or the address is on the blacklist.
     *     - `unsubscribed`: The contact has unsubscribed or complained.
     * @enum {string}
     */
    EnrollmentStatus: 'pending' | 'in_progress' | 'completed' | 'failed' | 'unsubscribed';
    /**
     * @description Which rule a request violates, or why it can be repeated later. Values can be added.
     *
     *     - `already_active`: (409) The campaign is active already.
     *     - `already_blacklisted`: (422) The workspace has blacklisted the address before.
     *     - `blacklisted`: (422) The address is blacklisted.
     *     - `bounced`: (422) The address of the contact has bounced.
     *     - `busy`: (429) The workspace has as much work in progress as it may have. Repeat the request later.
     *     - `campaign_active`: (409) An active campaign cannot be deleted. Pause it first.
     *     - `complained`: (422) The contact has complained about a message.
     *     - `daily_limit`: (422) The email accounts of the campaign have reached their limit of the day.
     *     - `email_taken`: (409) Another contact of the workspace has this address.
     *     - `enrollment_ended`: (422) The enrollment has ended. Only a running one can be moved.
     *     - `external_id_taken`: (409) Another contact of the workspace has this external ID.
     *     - `idempotency_key_in_use`: (409) The first request with this `Idempotency-Key` is still running. Repeat the request later.
     *     - `idempotency_key_reused`: (409) The `Idempotency-Key` was used for a request with another body.
     *     - `import_ended`: (409) The import has ended, so that it cannot be cancelled.
     *     - `import_not_ended`: (409) The import has not ended yet. Its refused rows are known afterwards.
     *     - `invalid_address`: (422) The reply does not come from an email address that can be written to.
     *     - `invalid_signature`: (403) The signature of the events is missing or wrong.
     *     - `key_taken`: (409) Another custom field of the workspace has this key.
     *     - `last_email_account`: (403) The only email account of a workspace cannot be deleted.
     *     - `limit_reached`: (422) The workspace has as many records of this kind as it may have.
     *     - `min_seconds_between`: (422) The last message of the email accounts of the campaign is too recent.
     *     - `name_taken`: (409) Another list of the workspace has this name. (409) Another tag of the workspace has this name.
     *     - `no_account`: (422) The campaign cannot start: none of its email accounts is active, or it has none. (422) The campaign has no active email account that could send the test. (422) The email account of the message or of the reply was deleted.
     *     - `no_steps`: (422) The campaign has no step, so that it cannot start.
     *     - `not_active`: (409) The campaign is a draft or paused already, so that it cannot be paused.
     *     - `not_resubscribable`: (422) A contact that has bounced or complained cannot be resubscribed.
     *     - `not_retryable`: (409) Only a message with the status `unknown`, or one that waits for its next attempt, can be retried.
     *     - `permissions_exceeded`: (403) The token to be revoked has permissions that your own token lacks.
     *     - `precondition_failed`: (412) The record is not in the state that `If-Match` or `If-None-Match` requires.
     *     - `provider_limit`: (422) The email accounts of the campaign have reached a limit of their provider.
     *     - `provider_not_configured`: (422) The operator has not configured a client ID and secret for this provider.
     *     - `provider_unavailable`: (422) The provider does not respond. Repeat the request later.
     *     - `reference_deleted`: (409) A record that the request refers to was deleted while the request ran.
     *     - `rendered_too_long`: (422) The subject or the body is too long when its variables are filled in.
     *     - `response_not_stored`: (409) The first request with this `Idempotency-Key` was done, but its response is not stored: it was larger than 64 KB, or about a person who was erased.
     *     - `response_unreadable`: (409) The first request with this `Idempotency-Key` was done, but the key that its response was encrypted with was removed.
     *     - `secret_unreadable`: (422) The signing secret of the webhook was encrypted with a key that was removed. Regenerate the secret.
     *     - `segment_too_expensive`: (422) Finding the contacts of the segment takes longer than the time limit. Add a narrower condition.
     *     - `step_deleted`: (422) The step of the message was deleted.
     *     - `template_deleted`: (409) The template of a step was deleted while the request ran.
     *     - `template_too_complex`: (422) The body takes too long to be converted to text. Simplify its HTML.
     *     - `template_too_large`: (422) A stored subject or body has more than 256 KB or 500 variables.
     *     - `tracking_domain_taken`: (409) Another workspace has got the tracking domain at the same time.
     *     - `unavailable`: (503) The database is not available, another request has locked the records, or a file cannot be stored. Repeat the request later.
     *     - `unsubscribed`: (422) The contact has unsubscribed.
     *     - `value_too_large`: (422) A value is too large to be stored.
     * @enum {string}
     */
    ErrorReason:
      | 'already_active'
      | 'already_blacklisted'
      | 'blacklisted'
      | 'bounced'
      | 'busy'
      | 'campaign_active'
      | 'complained'
      | 'daily_limit'
      | 'email_taken'
      | 'enrollment_ended'
      | 'external_id_taken'
      | 'idempotency_key_in_use'
      | 'idempotency_key_reused'
      | 'import_ended'
      | 'import_not_ended'
      | 'invalid_address'
      | 'invalid_signature'
      | 'key_taken'
      | 'last_email_account'
      | 'limit_reached'
      | 'min_seconds_between'
      | 'name_taken'
      | 'no_account'
      | 'no_steps'
      | 'not_active'
      | 'not_resubscribable'
      | 'not_retryable'
      | 'permissions_exceeded'
      | 'precondition_failed'
      | 'provider_limit'
      | 'provider_not_configured'
      | 'provider_unavailable'
      | 'reference_deleted'
      | 'rendered_too_long'
      | 'response_not_stored'
      | 'response_unreadable'
      | 'secret_unreadable'
      | 'segment_too_expensive'
      | 'step_deleted'
      | 'template_deleted'
      | 'template_too_complex'
      | 'template_too_large'
      | 'tracking_domain_taken'
      | 'unavailable'
      | 'unsubscribed'
      | 'value_too_large';
    ErrorResponse: {
      /**
       * @description The kind of error, for programs.
       * @example ValidationError
       * @enum {string}
       */
      error: 'ValidationError' | 'Forbidden' | 'HttpError' | 'TooManyRequests' | 'InternalServerError';
      /**
       * @description A sentence for people. The wording may change. For people; the wording may change.
       * @example The given data was invalid.
       */
      message: string;
      /**
       * @description Of a ValidationError: the path of each invalid field, as the client wrote it → messages.
       * @example {
       *       "first_nam": [
       *         "first_nam is not a known field. Did you mean first_name?"
       *       ]
       *     }
       */
      errors: {
        [key: string]: string[];
      } | null;
      /**
       * @description The HTTP status.
       * @example 422
       */
      code: number;
      /** @description The rule that the request violates, or why it can be repeated later, for programs. Not with other errors. */
      reason?: components['schemas']['ErrorReason'];
    };
    /**
     * @description The events that a webhook can receive. The section Events shows each with an example.
     * @enum {string}
     */
    EventName:
      | 'campaign.completed'
      | 'campaign.paused'
      | 'campaign.started'
      | 'contact.created'
      | 'contact.deleted'
      | 'contact.updated'
      | 'email.bot_activity'
      | 'email.bounced'
      | 'email.clicked'
      | 'email.complained'
      | 'email.delivered'
      | 'email.opened'
      | 'email.replied'
      | 'email.sent'
      | 'email.unsubscribed'
      | 'email_account.disabled'
      | 'email_account.mail_skipped'
      | 'webhook.disabled';
    EventPage: {
      /** @description The events, the oldest first. */
      data: components['schemas']['PublishedEvent'][];
      /** @description Where the next page begins. */
      meta: components['schemas']['EventPageMeta'];
    };
    EventPageMeta: {
      /**
       * @description The `after` of the next page: the last ID of this one. If the page is empty, the `after` of the request, or null.
       * @example 90127
       */
      next_after: number | null;
      /**
       * @description Only with `cursor`: the cursor of the next page; null on the last page.
       * @example WzkwMTI3XatFbWZpS28yUG0zV3dYWVdBb0hR
       */
      next_cursor?: string | null;
    };
    /**
     * @description How the connection to the IMAP server is encrypted.
     *
     *     - `ssl`: TLS from the beginning, as on port 993.
     *     - `tls`: STARTTLS, as on port 143.
     * @enum {string}
     */
    ImapEncryption: 'ssl' | 'tls';
    Import: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 12
       */
      id: number;
      /** @description Whether the import waits, runs or has ended. */
      status: components['schemas']['ImportStatus'];
      /**
       * @description The name of the file as the client sent it.
       * @example visitors.csv
       */
      file_name: string | null;
      /**
       * @description Whether nothing is stored.
       * @example false
       */
      dry_run: boolean;
      /**
       * @description The part that is done.
       * @example 1
       */
      progress: number;
      /**
       * @description The rows of the file: the sum of the other four. It is 0 until the import has ended.
       * @example 250
       */
      total: number;
      /**
       * @description How many rows have created a contact.
       * @example 241
       */
      imported: number;
      /**
       * @description Rows that updated a contact. It is 0 with `skip_duplicates`.
       * @example 0
       */
      updated: number;
      /**
       * @description Rows whose contact existed, or was in an earlier row.
       * @example 8
       */
      skipped: number;
      /**
       * @description Rows with errors, which are not imported.
       * @example 1
       */
      failed: number;
      /** @description The errors of the first 100 refused rows. `GET /imports/{id}/refused` has all. */
      errors: components['schemas']['ImportRowError'][];
      /**
       * @description Why the import failed as a whole.
       * @example outside_schedule
       */
      reason: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When a worker began it.
       * @example 2026-03-02T08:15:30.480Z
       */
      started_at: string | null;
      /**
       * Format: date-time
       * @description When it ended: completed, failed or cancelled.
       * @example 2026-03-02T08:15:32.910Z
       */
      completed_at: string | null;
    };
    ImportContacts: {
      /**
       * Format: binary
       * @description The CSV file, with a header. At most 10 MB.
       * @example E-mail,First name,Last name,Staff
       *     claire.martin@acme.example,Claire,Martin,140
       *     tom.weber@globex.example,Tom,Weber,35
       */
      file: string;
      /**
       * @description The name of the column for each field: `mapping[email]=E-mail`, `mapping[custom_fields.employees]=Staff`, or one form field `mapping` with a JSON object. Possible are all fields that a contact can be created with, and `custom_fields.<key>`. Without a mapping, columns are used whose name is that of a field. A column that has exactly the name is used first, else one whose name differs only in case, spaces, hyphens and underscores: `E-mail` and `EMAIL` are found as `email`, `First name` as `first_name`. Without a mapping, a column such as `Unsubscribed`, `Email Opt Out` or `Do not contact` is used as `status`: `TRUE` or `yes` makes the contact `unsubscribed`.
       * @example {
       *       "email": "E-mail",
       *       "first_name": "First name",
       *       "last_name": "Last name",
       *       "custom_fields.employees": "Staff"
       *     }
       */
      mapping?: {
        [key: string]: string;
      };
      /**
       * @description Whether rows of contacts that exist are left out. With `false`, their cells that are not empty change the contact.
       * @default true
       * @example true
       */
      skip_duplicates: boolean;
      /**
       * @description The status of the contacts of all rows whose own is empty, for a file of people who have opted out in another system: `unsubscribed`, `bounced` or `complained`.
       * @enum {string}
       */
      status?: 'unsubscribed' | 'bounced' | 'complained';
      /**
       * @description The IDs of at most 100 lists that the contact of every valid row joins, also of those that are left out.
       * @example [
       *       8
       *     ]
       */
      'lists[]'?: number[];
      /**
       * @description The IDs of at most 100 tags that the contact of every valid row gets, also of those that are left out.
       * @example [
       *       3
       *     ]
       */
      'tags[]'?: number[];
      /**
       * @description Whether the file is only checked: the response is that of the import, and nothing is stored.
       * @default false
       * @example false
       */
      dry_run: boolean;
    };
    ImportPage: {
      /** @description The records of this page. */
      data: components['schemas']['Import'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    ImportRowError: {
      /**
       * @description The number of the record; the header is 1.
       * @example 17
       */
      row: number;
      /**
       * @description The field of the contact; `row` if the row has more cells than the header.
       * @example email
       */
      field: string;
      /**
       * @description The name of the column in the file; null if the error is not about a single cell.
       * @example E-mail
       */
      column: string | null;
      /**
       * @description The first 100 characters of the cell; null if the error is not about a single cell.
       * @example claire.martin(at)acme.example
       */
      value: string | null;
      /**
       * @description What is wrong, and what would be right.
       * @example email must be an email address: it has no @
       */
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
      /**
       * @description The ID of the import, for `GET /imports/{id}` and `GET /imports/{id}/refused`.
       * @example 12
       */
      import_id: number;
      /**
       * @description The rows of the file: the sum of the other four. It is 0 until the import has ended.
       * @example 250
       */
      total: number;
      /**
       * @description How many rows have created a contact.
       * @example 241
       */
      imported: number;
      /**
       * @description Rows that updated a contact. It is 0 with `skip_duplicates`.
       * @example 0
       */
      updated: number;
      /**
       * @description Rows whose contact existed, or was in an earlier row.
       * @example 8
       */
      skipped: number;
      /**
       * @description Rows with errors, which are not imported.
       * @example 1
       */
      failed: number;
      /** @description The errors of the first 100 refused rows. `GET /imports/{id}/refused` has all. */
      errors: components['schemas']['ImportRowError'][];
    };
    InboundAddresses: {
      /**
       * @description The secret part of both addresses.
       * @example q7Zt0Yw3bUe1
       */
      key: string;
      /**
       * @description Enter it at SendGrid as the URL of the signed event webhook.
       * @example http://localhost:3000/inbound/sendgrid/q7Zt0Yw3bUe1
       */
      sendgrid_url: string;
      /**
       * @description Where a mail server or a forwarding rule posts raw messages: bounces, complaints and replies. SendGrid's Inbound Parse posts to the same address with `/inbound/parse/` instead of `/inbound/mail/`.
       * @example http://localhost:3000/inbound/mail/q7Zt0Yw3bUe1
       */
      mail_url: string;
    };
    /**
     * @description How far a contact is on the way to being a customer. The service stores the stage and filters by it; it never changes it.
     *
     *     - `subscriber`: Has asked for information. The stage of new contacts.
     *     - `lead`: Has shown interest.
     *     - `marketing_qualified_lead`: Marketing considers the contact worth a call.
     *     - `sales_qualified_lead`: Sales has confirmed the interest.
     *     - `opportunity`: A deal is being negotiated.
     *     - `customer`: Has bought.
     *     - `evangelist`: Is a customer who recommends you.
     *     - `other`: None of these.
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
    Liveness: {
      /**
       * @description The process responds.
       * @example ok
       * @constant
       */
      status: 'ok';
    };
    /**
     * @description The language of a template or pack of the marketplace.
     *
     *     - `fr`: French.
     *     - `en`: English.
     * @enum {string}
     */
    Locale: 'fr' | 'en';
    MailboxAuthorization: {
      /**
       * @description Open it in the browser of the mailbox's owner. A page there names the workspace and leads to the provider, from which only this browser can return. It is good once.
       * @example http://localhost:3000/oauth/connect?client_id=123.apps.googleusercontent.com&response_type=code&state=k1cUq0t0
       */
      authorization_url: string;
      /**
       * Format: date-time
       * @description Until when the owner must have decided: ten minutes after the request.
       * @example 2026-03-02T09:00:00.000Z
       */
      expires_at: string;
    };
    MarketplacePack: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 1
       */
      id: number;
      /**
       * @description A readable ID, unique in the marketplace. The page of the pack is at `/marketplace/packs/{slug}`.
       * @example en-first-contact-in-three-steps
       */
      slug: string;
      /**
       * @description The name of the pack.
       * @example First contact in three steps
       */
      name: string;
      /**
       * @description What the sequence is good for.
       * @example A first message and two reminders.
       */
      description: string;
      /** @description The language of all of its templates. */
      locale: components['schemas']['Locale'];
      /**
       * @description Whether it is shown first.
       * @example true
       */
      is_featured: boolean;
      /**
       * @description How often it was copied into a workspace.
       * @example 87
       */
      downloads_count: number;
      /**
       * @description How many templates it has.
       * @example 1
       */
      templates_count: number;
      /** @description Its published templates, in the order of sending. */
      templates: components['schemas']['MarketplaceTemplate'][];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-01-15T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-01-15T09:00:00.000Z
       */
      updated_at: string;
    };
    MarketplacePackPage: {
      /** @description The records of this page. */
      data: components['schemas']['MarketplacePack'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    MarketplaceTemplate: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 1
       */
      id: number;
      /**
       * @description A readable ID, unique in the marketplace. The page of the template is at `/marketplace/templates/{slug}`.
       * @example en-first-contact
       */
      slug: string;
      /**
       * @description The name of the template.
       * @example First contact
       */
      name: string;
      /**
       * @description What the template is good for.
       * @example Four sentences to somebody who does not know you.
       */
      description: string;
      /** @description What the template is for. */
      category: components['schemas']['TemplateCategory'];
      /** @description The language of the texts. */
      locale: components['schemas']['Locale'];
      /**
       * @description The subject, with variables.
       * @example A question about {{ company }}
       */
      subject: string;
      /**
       * @description The HTML, with variables.
       * @example <p>Hello {{ first_name }},</p><p>how do you plan your fairs at {{ company }}?</p>
       */
      body: string;
      /**
       * @description The names of the variables in subject and body, each once.
       * @example [
       *       "company",
       *       "first_name"
       *     ]
       */
      variables: string[];
      /**
       * @description Whether it is shown first.
       * @example true
       */
      is_featured: boolean;
      /**
       * @description Whether it is listed; always true, because others are not shown.
       * @example true
       */
      is_published: boolean;
      /**
       * @description How often it was copied into a workspace.
       * @example 312
       */
      downloads_count: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-01-15T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-01-15T09:00:00.000Z
       */
      updated_at: string;
    };
    MarketplaceTemplatePage: {
      /** @description The records of this page. */
      data: components['schemas']['MarketplaceTemplate'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    /**
     * @description How conditions without a `connector` are joined.
     *
     *     - `all`: All must be true (`and`).
     *     - `any`: One must be true (`or`).
     * @enum {string}
     */
    MatchType: 'all' | 'any';
    Me: {
      /** @description The workspace of the token. */
      workspace: components['schemas']['Workspace'];
      /** @description The token of this request. */
      token: components['schemas']['CurrentToken'];
      /** @description How many records of each kind the workspace can have. More are refused with 422. */
      limits: components['schemas']['WorkspaceLimits'];
    };
    MembersAdded: {
      /**
       * @description How many contacts were added.
       * @example 1
       */
      added: number;
      /**
       * @description How many of the contacts were members already.
       * @example 0
       */
      skipped: number;
    };
    MembersRemoved: {
      /**
       * @description How many contacts were removed.
       * @example 1
       */
      removed: number;
      /**
       * @description How many IDs are not those of members.
       * @example 0
       */
      not_found: number;
    };
    Message: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 30911
       */
      id: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      campaign_id: number;
      /**
       * @description The ID of the enrollment.
       * @example 10482
       */
      enrollment_id: number;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The current address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The step; null if it was deleted.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The variant of the step that the contact gets, also after it was removed; null if the step had no variants when the message was queued.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The email account that sends or has sent it; null if none is chosen yet, or it was deleted.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject as it was sent; null before the first attempt.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /** @description What has become of the message. */
      status: components['schemas']['MessageStatus'];
      /**
       * @description The header `Message-ID`, without angle brackets; null before the first attempt. Two attempts of the same message have the same one.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description How often the service has tried to send it.
       * @example 1
       */
      attempts: number;
      /**
       * @description Why the message waits or was not sent; null if there is no reason to name. While it waits: a value of `WaitReason`, as `waiting_for` of an enrollment. If it ended: `blacklisted`, `unsubscribed`, `skipped`, `moved`, `paused`, or what the mail server said.
       * @example outside_schedule
       */
      reason: string | null;
      /**
       * Format: date-time
       * @description When the mail server accepted it; null before.
       * @example 2026-03-03T09:14:27.052Z
       */
      sent_at: string | null;
      /**
       * Format: date-time
       * @description When a person opened it first; null if not measured or not opened.
       * @example 2026-03-03T10:02:11.300Z
       */
      opened_at: string | null;
      /**
       * Format: date-time
       * @description When a person clicked a link in it first; null if not measured or not clicked.
       * @example 2026-03-03T10:02:40.911Z
       */
      clicked_at: string | null;
      /**
       * @description Requests for the pixel that were made by bots, and do not count as opens.
       * @example 0
       */
      bot_opens: number;
      /**
       * @description Requests for links that were made by bots, and do not count as clicks.
       * @example 4
       */
      bot_clicks: number;
      /** @description Why the last request that does not count does not; null if there was none. */
      bot_reason: components['schemas']['BotReason'] | null;
      /**
       * Format: date-time
       * @description When the first reply arrived; null before.
       * @example 2026-03-03T11:30:00.000Z
       */
      replied_at: string | null;
      /**
       * Format: date-time
       * @description When it was refused because its address is dead, or reported as undeliverable; null if it was not.
       * @example 2026-03-03T09:14:31.020Z
       */
      bounced_at: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T09:14:20.007Z
       */
      created_at: string;
    };
    MessageCounts: {
      /**
       * @description Messages that wait for their turn.
       * @example 12
       */
      queued: number;
      /**
       * @description Messages that a mail server has accepted.
       * @example 228
       */
      sent: number;
      /**
       * @description Messages that a report calls delivered. Many mail servers send no such report.
       * @example 214
       */
      delivered: number;
      /**
       * @description Messages that a person has opened.
       * @example 120
       */
      opened: number;
      /**
       * @description Messages that a person or a bot has opened, as if every request counted.
       * @example 131
       */
      opened_raw: number;
      /**
       * @description Messages with a link that a person has clicked.
       * @example 33
       */
      clicked: number;
      /**
       * @description Messages with a link that a person or a bot has followed, as if every request counted.
       * @example 47
       */
      clicked_raw: number;
      /**
       * @description Messages with a reply.
       * @example 19
       */
      replied: number;
      /**
       * @description Messages that were refused for good or reported as undeliverable.
       * @example 4
       */
      bounced: number;
      /**
       * @description Messages that the recipient has marked as spam.
       * @example 0
       */
      complained: number;
      /**
       * @description Messages through which the recipient has unsubscribed.
       * @example 2
       */
      unsubscribed: number;
      /**
       * @description Messages that were not sent, because all attempts have failed.
       * @example 0
       */
      failed: number;
      /**
       * @description Messages of which nobody knows whether a mail server has accepted them.
       * @example 0
       */
      unknown: number;
      /**
       * @description The share of `opened` in `sent`, from 0 to 1.
       * @example 0.5263
       */
      open_rate: number;
      /**
       * @description The share of `clicked` in `sent`, from 0 to 1.
       * @example 0.1447
       */
      click_rate: number;
      /**
       * @description The share of `replied` in `sent`, from 0 to 1.
       * @example 0.0833
       */
      reply_rate: number;
      /**
       * @description The share of `bounced` in `sent`, from 0 to 1.
       * @example 0.0175
       */
      bounce_rate: number;
    };
    MessageCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['Message'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    /**
     * @description What has become of a message.
     *
     *     - `queued`: Waits for its turn; `reason` says for what.
     *     - `sending`: Is being given to a mail server at this moment. With the reason `checking_sent_mail`: the connection was lost before the server replied, and the message is being looked for in the sent mail.
     *     - `sent`: The mail server has accepted it.
     *     - `delivered`: A report says that it has arrived.
     *     - `bounced`: Was refused because its address is dead, or was reported as undeliverable later.
     *     - `complained`: The recipient has marked it as spam.
     *     - `failed`: Was not sent: all attempts have failed, or a server has refused its content. It can be retried.
     *     - `cancelled`: Was not sent, because the contact or the campaign stopped before; `reason` says why.
     *     - `unknown`: Nobody knows whether the mail server has accepted it. It can be retried.
     * @enum {string}
     */
    MessageStatus:
      'queued' | 'sending' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed' | 'cancelled' | 'unknown';
    MessageWithContent: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 30911
       */
      id: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      campaign_id: number;
      /**
       * @description The ID of the enrollment.
       * @example 10482
       */
      enrollment_id: number;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The current address of the contact.
       * @example claire.martin@acme.example
       */
      email: string;
      /**
       * @description The step; null if it was deleted.
       * @example 63
       */
      step_id: number | null;
      /**
       * @description The variant of the step that the contact gets, also after it was removed; null if the step had no variants when the message was queued.
       * @example 7
       */
      variant_id: number | null;
      /**
       * @description The email account that sends or has sent it; null if none is chosen yet, or it was deleted.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The subject as it was sent; null before the first attempt.
       * @example Good to meet you, Claire
       */
      subject: string | null;
      /** @description What has become of the message. */
      status: components['schemas']['MessageStatus'];
      /**
       * @description The header `Message-ID`, without angle brackets; null before the first attempt. Two attempts of the same message have the same one.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /**
       * @description How often the service has tried to send it.
       * @example 1
       */
      attempts: number;
      /**
       * @description Why the message waits or was not sent; null if there is no reason to name. While it waits: a value of `WaitReason`, as `waiting_for` of an enrollment. If it ended: `blacklisted`, `unsubscribed`, `skipped`, `moved`, `paused`, or what the mail server said.
       * @example outside_schedule
       */
      reason: string | null;
      /**
       * Format: date-time
       * @description When the mail server accepted it; null before.
       * @example 2026-03-03T09:14:27.052Z
       */
      sent_at: string | null;
      /**
       * Format: date-time
       * @description When a person opened it first; null if not measured or not opened.
       * @example 2026-03-03T10:02:11.300Z
       */
      opened_at: string | null;
      /**
       * Format: date-time
       * @description When a person clicked a link in it first; null if not measured or not clicked.
       * @example 2026-03-03T10:02:40.911Z
       */
      clicked_at: string | null;
      /**
       * @description Requests for the pixel that were made by bots, and do not count as opens.
       * @example 0
       */
      bot_opens: number;
      /**
       * @description Requests for links that were made by bots, and do not count as clicks.
       * @example 4
       */
      bot_clicks: number;
      /** @description Why the last request that does not count does not; null if there was none. */
      bot_reason: components['schemas']['BotReason'] | null;
      /**
       * Format: date-time
       * @description When the first reply arrived; null before.
       * @example 2026-03-03T11:30:00.000Z
       */
      replied_at: string | null;
      /**
       * Format: date-time
       * @description When it was refused because its address is dead, or reported as undeliverable; null if it was not.
       * @example 2026-03-03T09:14:31.020Z
       */
      bounced_at: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T09:14:20.007Z
       */
      created_at: string;
      /**
       * @description The address to which an answer to a reply is sent; null for the message of a step, which is sent to `email`.
       * @example 2026-03-23T09:00:00Z
       */
      to: string | null;
      /**
       * @description The HTML of an answer to a reply; null for the message of a step, of which only the subject is stored.
       * @example <p>Great, I will call you on Thursday at ten.</p>
       */
      html: string | null;
    };
    MoveEnrollment: {
      /**
       * @description The ID of a step of this campaign, before or after the current one.
       * @example 64
       */
      step_id: number;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 10482
       */
      readonly id?: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      readonly campaign_id?: number;
      /**
       * @description The ID of the contact.
       * @example 4711
       */
      readonly contact_id?: number;
      /**
       * @description The step that is sent next, or the last one if the enrollment is finished; null if the campaign has no steps.
       * @example 63
       */
      readonly current_step_id?: number | null;
      /** @description How far the contact is. */
      readonly status?: components['schemas']['EnrollmentStatus'];
      /**
       * Format: date-time
       * @description When the enrollment ended; null while it runs.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly completed_at?: string | null;
      /**
       * Format: date-time
       * @description The earliest time at which the next message can be sent, of what is known now: the delay of the step, the schedule, the absence of the contact, and the limits of the account. A time in the past means that it is sent as soon as its turn comes. Null if the enrollment has ended, the campaign is not active, or something has to change first.
       * @example 2026-03-03T08:00:00.000Z
       */
      readonly next_send_at?: string | null;
      /** @description Why the next message is not sent sooner; null if only the delay of its step is the reason. */
      readonly waiting_for?: components['schemas']['WaitReason'] | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:05:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:05:00.000Z
       */
      readonly updated_at?: string;
      /** @description The contact, with its tags and lists. */
      readonly contact?: components['schemas']['Contact'];
      /** @description The step with the ID `current_step_id`. */
      readonly current_step?: components['schemas']['Step'] | null;
    };
    NewApiToken: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4
       */
      id: number;
      /**
       * @description What the token is for. At most 255 characters.
       * @example Sign-up form
       */
      name: string;
      /** @description What the token may do. */
      permissions: components['schemas']['Permission'][];
      /**
       * Format: date-time
       * @description When it ends; null if it does not.
       * @example 2036-12-31T23:00:00.000Z
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @description When it was last used, to the minute; null if it never was.
       * @example 2026-03-03T09:14:27.052Z
       */
      last_used_at: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:00:00.000Z
       */
      created_at: string;
      /**
       * @description The token for the header `Authorization`. This is the only response that shows it.
       * @example out_Zk3v0m8Yd1qT5rWc7uXh2nJb6sLp9aEf4gKi0oMy
       */
      token: string;
    };
    /**
     * @description How a condition compares its field with its value. Texts take the first eight; numbers and dates `equals`, `not_equals`, `is_empty`, `is_not_empty`, `greater_than` and `less_than`; everything else the first two and `is_empty`, `is_not_empty`. The operators with `not_` are also true for contacts whose field is empty.
     *
     *     - `equals`: The whole value is the same, also in upper and lower case. A date means the whole day in UTC. For `tag_id` and `list_id`: the contact has the tag, or is in the list.
     *     - `not_equals`: The contrary of `equals`.
     *     - `contains`: The text contains the value; upper and lower case do not matter.
     *     - `not_contains`: The contrary of `contains`.
     *     - `starts_with`: The text begins with the value; upper and lower case do not matter.
     *     - `ends_with`: The text ends with the value; upper and lower case do not matter.
     *     - `is_empty`: There is no value, or an empty text; for `tag_id` and `list_id`: no tags or lists at all. Takes no `value`.
     *     - `is_not_empty`: The contrary of `is_empty`. Takes no `value`.
     *     - `greater_than`: The number is greater, or the date is later. A day means its end in UTC.
     *     - `less_than`: The number is smaller, or the date is earlier. A day means its beginning in UTC.
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
       * @example http://localhost:3000/v1/contacts?page=1
       */
      first: string;
      /**
       * Format: uri
       * @description The last page.
       * @example http://localhost:3000/v1/contacts?page=1
       */
      last: string;
      /**
       * Format: uri
       * @description The previous page; null on the first one.
       * @example http://localhost:3000/v1/contacts?page=1
       */
      prev: string | null;
      /**
       * Format: uri
       * @description The next page; null on the last one.
       * @example http://localhost:3000/v1/contacts?page=3
       */
      next: string | null;
    };
    PageMeta: {
      /**
       * @description The number of this page, from 1.
       * @example 1
       */
      current_page: number;
      /**
       * @description The number of the last page.
       * @example 1
       */
      last_page: number;
      /**
       * @description The number of records on all pages.
       * @example 1
       */
      total: number;
      /**
       * @description The largest number of records on a page.
       * @example 25
       */
      per_page: number;
      /**
       * @description The number of records on this page.
       * @example 1
       */
      count: number;
    };
    PauseContact: {
      /**
       * Format: date-time
       * @description The end of the pause: an instant with its offset (ISO 8601), in the future.
       * @example 2026-05-04T07:00:00Z
       */
      until: string;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4711
       */
      readonly id?: number;
      /**
       * @description The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set.
       * @example Claire Martin
       */
      readonly full_name?: string | null;
      /**
       * Format: date-time
       * @description When the contact agreed or refused; null if it has not been asked.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly tracking_consent_at?: string | null;
      /**
       * Format: date-time
       * @description When the contact was created, or subscribed again.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly subscribed_at?: string | null;
      /**
       * Format: date-time
       * @description Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-09T14:02:11.875Z
       */
      readonly updated_at?: string;
      /**
       * @description Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the workspace. One that you did not expect is a typo: delete the custom field.
       * @example [
       *       "employees"
       *     ]
       */
      readonly new_custom_fields?: string[];
    };
    /**
     * @description Why the service has paused a campaign by itself.
     *
     *     - `account_deleted`: The last email account that it sends from was deleted. Choose another one and start the campaign again.
     *     - `no_step`: Its only step was deleted, or it has none and contacts were enrolled. Add a step and start the campaign again.
     *     - `bounce_rate`: More of its messages have bounced than `stop_at_bounce_rate` allows. Check the addresses before you start it again.
     *     - `complaint_rate`: More recipients have marked its messages as spam than `stop_at_complaint_rate` allows.
     * @enum {string}
     */
    PauseReason: 'account_deleted' | 'no_step' | 'bounce_rate' | 'complaint_rate';
    /**
     * @description What a token may do, by area. `:read` and `:write` do not imply each other. Lists, tags, companies and custom fields belong to `contacts`.
     * @enum {string}
     */
    Permission:
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
      | 'tokens:write';
    PersonalData: {
      /** @description The contact, as `GET /v1/contacts/{id}` shows it. */
      contact: components['schemas']['Contact'];
      /** @description The lists that the contact is in. */
      lists: components['schemas']['ContactList'][];
      /** @description The tags of the contact. */
      tags: components['schemas']['Tag'][];
      /** @description The company that the contact is linked to; null if there is none. */
      company: components['schemas']['Company'] | null;
      /** @description The enrollments in campaigns, the newest first. */
      enrollments: components['schemas']['EnrollmentProgress'][];
      /** @description The messages that were sent to the contact or wait, answers to replies among them, the newest first. */
      messages: components['schemas']['MessageWithContent'][];
      /** @description What has happened, the newest first. The `data` of opens and clicks has the `user_agent` of the request, too. */
      activity: components['schemas']['Activity'][];
      /** @description What the contact has replied, the newest first. */
      replies: components['schemas']['Reply'][];
      /** @description The changes of `status` and `tracking_consent`, the newest first. */
      consents: components['schemas']['ConsentChange'][];
      /** @description The entry of the address in the blacklist of the workspace; null if there is none. */
      blacklist_entry: components['schemas']['BlacklistEntry'] | null;
      /**
       * @description Earlier addresses of the contact, the last one first. Only if there are any.
       * @example [
       *       "claire@former.example"
       *     ]
       */
      former_emails?: string[];
    };
    PreflightAccount: {
      /**
       * @description The ID of the email account.
       * @example 5
       */
      id: number;
      /**
       * @description How many messages it may send today, in UTC.
       * @example 50
       */
      effective_limit_today: number;
      /**
       * @description How many of these are left.
       * @example 38
       */
      remaining_today: number;
    };
    PreflightBlocker: {
      /**
       * @description The `reason` of the error with which a start would be refused.
       * @example no_steps
       * @enum {string}
       */
      code: 'already_active' | 'no_steps' | 'no_account';
      /**
       * @description The same in a sentence, for people.
       * @example A campaign needs a step before it can start.
       */
      message: string;
    };
    PreflightCapacity: {
      /** @description The email accounts that the campaign sends from. */
      accounts: components['schemas']['PreflightAccount'][];
      /**
       * @description The sum of tomorrow's limits of those that are active, if they send today: then a ramp grows.
       * @example 50
       */
      per_day: number;
    };
    PreflightRecipients: {
      /**
       * @description How many contacts are enrolled, the finished ones included.
       * @example 240
       */
      enrolled: number;
      /**
       * @description How many of them get further messages.
       * @example 231
       */
      sendable: number;
      /**
       * @description How many get none, by the status of the contact, or `blacklisted`. Reasons without contacts are left out.
       * @example {
       *       "unsubscribed": 8,
       *       "blacklisted": 1
       *     }
       */
      skipped: {
        [key: string]: number;
      };
    };
    PreflightWarning: {
      /** @description What may go wrong. */
      code: components['schemas']['PreflightWarningCode'];
      /**
       * @description The same in a sentence, for people.
       * @example Some contacts have no value for a variable that has no default.
       */
      message: string;
      /**
       * @description How many contacts, steps, subjects or accounts it is about.
       * @example 12
       */
      count: number;
    };
    /**
     * @description What may go wrong with a campaign, although it can start.
     *
     *     - `missing_variables`: Contacts have no value for a variable of a step that has no default, or for one of its `required_variables`. The count is that of the contacts, among the first 20,000.
     *     - `no_unsubscribe_link`: Steps without `{{ unsubscribe_url }}` in a campaign without `unsubscribe_footer`. The count is that of the steps.
     *     - `no_postal_address`: Messages of steps have no postal address, which CAN-SPAM requires: the workspace has none, or the step has its own unsubscribe link or the campaign no footer, and the text does not use `{{ sender_address }}`. The count is that of the steps.
     *     - `foreign_merge_tags`: Texts have merge tags of other services, such as `*|FNAME|*` or `[First Name]`, which recipients would see. The message names the steps by their position, and the tags. The count is that of the steps.
     *     - `domain_not_authenticated`: The SPF, DKIM or DMARC records of accounts fail. The count is that of the accounts.
     *     - `account_disabled`: Accounts of the campaign are switched off. The count is that of the accounts.
     *     - `no_capacity`: No account can send a further message today. The count is that of the accounts.
     *     - `long_subject`: Subjects are longer than 60 characters without their variables, and are cut off by mail programs. The count is that of the subjects.
     *     - `mostly_image`: Short texts with an image, such as that which tracks opens: spam filters take them for images without text. The count is that of the steps.
     *     - `unverified_tracking_domain`: The tracking domain of the workspace is not verified, so links begin with the address of the service.
     * @enum {string}
     */
    PreflightWarningCode:
      | 'missing_variables'
      | 'no_unsubscribe_link'
      | 'no_postal_address'
      | 'foreign_merge_tags'
      | 'domain_not_authenticated'
      | 'account_disabled'
      | 'no_capacity'
      | 'long_subject'
      | 'mostly_image'
      | 'unverified_tracking_domain';
    PreviewTemplate: {
      /**
       * @description The contact whose fields fill the variables. Without a contact and without variables, samples fill them. `null` means no value.
       * @example 4711
       */
      contact_id?: number | null;
      /**
       * @description Values by the name of the variable, at most 500; they win over the fields of the contact. A value is a string, a number or a boolean; `sender` can be an object with `name` and `email`. `null` means no value.
       * @example {
       *       "sender": {
       *         "name": "Julie Bernard"
       *       }
       *     }
       */
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
    PublishedEvent: {
      /**
       * @description Events with larger IDs have happened later, or were committed later. The IDs of a workspace begin with 1.
       * @example 90127
       */
      id: number;
      /** @description The name of the event. */
      event: components['schemas']['EventName'];
      /**
       * @description The same as the `data` that webhooks receive.
       * @example {
       *       "message_id": "AAEAAhVb3kq0.fX2m9Zs@acme-events.example",
       *       "campaign_id": 21,
       *       "step_id": 63,
       *       "variant_id": null,
       *       "enrollment_id": 10482,
       *       "contact_id": 4711,
       *       "email": "claire.martin@acme.example",
       *       "email_account_id": 5,
       *       "subject": "Good to meet you, Claire",
       *       "occurred_at": "2026-03-03T09:14:27.052Z"
       *     }
       */
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T09:14:27.060Z
       */
      created_at: string;
    };
    Readiness: {
      /** @description Whether the process can serve requests, or does its work. */
      status: components['schemas']['ReadinessStatus'];
      /**
       * @description What was checked: `database`, and `redis` if the service uses it → whether it accepts writes; `work` of a worker → whether it does what is due.
       * @example {
       *       "database": true,
       *       "redis": true
       *     }
       */
      checks: {
        [key: string]: boolean;
      };
    };
    /**
     * @description Whether a process can serve requests, or does its work.
     *
     *     - `ok`: All that it needs is available.
     *     - `unavailable`: Something that it needs is not available, or work is left alone.
     *     - `stopping`: It has received the signal to stop.
     * @enum {string}
     */
    ReadinessStatus: 'ok' | 'unavailable' | 'stopping';
    ReceivedReply: {
      /**
       * @description The ID of the reply, for `GET /v1/replies/{id}`.
       * @example 918
       */
      id: number;
      /**
       * @description `reply` of a person, `out_of_office` or `automatic`.
       * @example reply
       */
      classification: string;
      /**
       * @description Whether a machine wrote it.
       * @example false
       */
      is_automatic: boolean;
      /**
       * @description The first 2,000 characters of what the sender wrote, without the quoted message.
       * @example Thursday at ten works for me.
       */
      text: string;
    };
    Redeliveries: {
      /**
       * @description How many deliveries are sent again.
       * @example 17
       */
      count: number;
    };
    RedeliverWebhook: {
      /**
       * @description Only deliveries whose last attempt was made at this instant or later; a day begins at midnight (UTC).
       * @example 2026-03-02T09:00:00Z
       */
      from: string;
      /**
       * @description Only deliveries whose last attempt was made up to this instant, included; a day ends at midnight (UTC).
       * @example 2026-03-02T12:00:00Z
       */
      to: string;
      /** @description Only deliveries of this event. `null` means no value. */
      event?: components['schemas']['EventName'] | null;
      /**
       * @description With `true` only deliveries whose last attempt succeeded, with `false` only the others. `null` means no value.
       * @example false
       */
      success?: boolean | null;
    };
    Redelivery: {
      /**
       * Format: uuid
       * @description The header `X-Service-Delivery` of the new delivery.
       * @example 0b6a9e54-7c1b-4a63-8a55-6f5a1d0f3c90
       */
      delivery_id: string;
    };
    RemoveAddresses: {
      /**
       * @description 1 to 1,000 addresses, in upper or lower case.
       * @example [
       *       "no-more@initech.example"
       *     ]
       */
      emails: string[];
    };
    RemoveContacts: {
      /**
       * @description The IDs of at most 1,000 contacts. Those that are not members, or do not exist, count as `not_found`.
       * @example [
       *       4711
       *     ]
       */
      contact_ids: number[];
    };
    Reply: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 918
       */
      id: number;
      /**
       * @description The ID of the campaign of the message that it answers.
       * @example 21
       */
      campaign_id: number;
      /**
       * @description The ID of the enrollment.
       * @example 10482
       */
      enrollment_id: number;
      /**
       * @description The ID of the contact to whom the message was sent.
       * @example 4711
       */
      contact_id: number;
      /**
       * @description The email account that sent the message, and sends an answer; null if it was deleted.
       * @example 5
       */
      email_account_id: number | null;
      /**
       * @description The header `Message-ID` of the message that it answers, without angle brackets.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string | null;
      /** @description Who wrote it. */
      from: components['schemas']['ReplySender'];
      /**
       * @description The subject; may be empty.
       * @example Re: Good to meet you, Claire
       */
      subject: string;
      /**
       * @description What the sender wrote, without the quoted message; at most 20,000 characters, may be empty.
       * @example Thursday at ten works for me.
       */
      text: string;
      /**
       * @description `reply` of a person, `out_of_office` or `automatic`, as the service has recognised it, or the classification that you have given it.
       * @example reply
       */
      classification: string;
      /**
       * @description Whether a machine wrote it. Such a reply ends no enrollment. Another classification does not change it.
       * @example false
       */
      is_automatic: boolean;
      /**
       * Format: date
       * @description The day on which the sender is back, as `YYYY-MM-DD`; null if the mail names none.
       * @example 2026-03-09
       */
      returns_on: string | null;
      /**
       * Format: date-time
       * @description When the mail was received.
       * @example 2026-03-03T11:40:05.000Z
       */
      received_at: string;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T11:40:06.118Z
       */
      created_at: string;
    };
    ReplyCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['Reply'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    ReplySender: {
      /**
       * @description The name as the mail shows it; null if it shows none.
       * @example Claire Martin
       */
      name: string | null;
      /**
       * @description The address, in lower case. It may be another one than that of the contact.
       * @example claire.martin@acme.example
       */
      address: string;
    };
    ReportReceipt: {
      /**
       * @description How many messages of the workspace the report is about. 0 means that it was stored and has no effect.
       * @example 1
       */
      matched: number;
    };
    RetriedMessages: {
      /**
       * @description How many messages are queued again.
       * @example 3
       */
      count: number;
    };
    /**
     * @description The messages that can be retried.
     *
     *     - `failed`: All attempts have failed, or a server has refused the content.
     *     - `unknown`: It is unknown whether the mail server has accepted them: the recipients may get them twice.
     *     - `queued`: Those that wait for their next attempt, with the reason `temporary_failure`.
     * @enum {string}
     */
    RetryableStatus: 'failed' | 'unknown' | 'queued';
    RetryMessages: {
      /** @description The messages with this status are queued again; those that are `queued` for another attempt are due now. */
      status: components['schemas']['RetryableStatus'];
    };
    RuleViolation: {
      /**
       * @description The kind of error, for programs.
       * @example HttpError
       * @enum {string}
       */
      error: 'Forbidden' | 'HttpError';
      /**
       * @description A sentence for people. The wording may change. For people; the wording may change.
       * @example A contact with this email address already exists.
       */
      message: string;
      /**
       * @description Only a ValidationError has them.
       * @example null
       */
      errors: null;
      /**
       * @description The HTTP status.
       * @example 409
       */
      code: number;
      /** @description The rule that the request violates, for programs. */
      reason: components['schemas']['ErrorReason'];
    };
    SandboxClock: {
      /**
       * Format: date-time
       * @description The time of the workspace.
       * @example 2026-03-23T09:00:00.000Z
       */
      now: string;
      /**
       * @description Whether everything that was due by this time is done, and nothing is in progress.
       * @example true
       */
      is_settled: boolean;
    };
    SandboxMessage: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 88
       */
      id: number;
      /**
       * @description The header `Message-ID` without angle brackets, as messages and events show it.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string;
      /**
       * @description The campaign of the message; null for a test. It may have been deleted.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The contact to whom it was sent; null for a test. It may have been deleted.
       * @example 4711
       */
      contact_id: number | null;
      /**
       * @description The address of the sender.
       * @example julie@acme-events.example
       */
      from: string;
      /**
       * @description The address of the recipient, in lower case.
       * @example claire.martin+opened@acme.example
       */
      to: string;
      /**
       * @description The subject, decoded.
       * @example Good to meet you, Claire
       */
      subject: string;
      /**
       * @description The length of the complete message in bytes.
       * @example 2847
       */
      size: number;
      /**
       * Format: date-time
       * @description When the simulated mail server accepted it, by the clock of the workspace.
       * @example 2026-03-03T09:14:28.310Z
       */
      created_at: string;
    };
    SandboxMessageContent: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 88
       */
      id: number;
      /**
       * @description The header `Message-ID` without angle brackets, as messages and events show it.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      message_id: string;
      /**
       * @description The campaign of the message; null for a test. It may have been deleted.
       * @example 21
       */
      campaign_id: number | null;
      /**
       * @description The contact to whom it was sent; null for a test. It may have been deleted.
       * @example 4711
       */
      contact_id: number | null;
      /**
       * @description The address of the sender.
       * @example julie@acme-events.example
       */
      from: string;
      /**
       * @description The address of the recipient, in lower case.
       * @example claire.martin+opened@acme.example
       */
      to: string;
      /**
       * @description The subject, decoded.
       * @example Good to meet you, Claire
       */
      subject: string;
      /**
       * @description The length of the complete message in bytes.
       * @example 2847
       */
      size: number;
      /**
       * Format: date-time
       * @description When the simulated mail server accepted it, by the clock of the workspace.
       * @example 2026-03-03T09:14:28.310Z
       */
      created_at: string;
      /**
       * @description The headers by their names, unfolded, as they were sent: encoded words (RFC 2047) are not decoded.
       * @example {
       *       "From": "Julie <julie@acme-events.example>",
       *       "Subject": "Good to meet you, Claire"
       *     }
       */
      headers: {
        [key: string]: string;
      };
      /**
       * @description The part for programs that do not show HTML.
       * @example Hello Claire, see https://acme-events.example/offer
       */
      text: string;
      /**
       * @description The HTML part; empty if it has none.
       * @example <p>Hello Claire, see <a href="https://outreach.example/t/c/q4GtCk3o">our offer</a></p>
       */
      html: string;
      /**
       * @description The addresses of the links in the HTML part, in their order and each once. Tracked links lead to the service.
       * @example [
       *       "https://outreach.example/t/c/q4GtCk3o"
       *     ]
       */
      links: string[];
      /**
       * @description The complete message (RFC 5322) as the mail server received it.
       * @example From: Julie <julie@acme-events.example>
       *     Subject: Good to meet you, Claire
       *
       *     Hello Claire, …
       */
      raw: string;
    };
    SandboxMessageCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['SandboxMessage'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    Schedule: {
      /**
       * @description The time zone of `start` and `end` by its IANA name, such as `Europe/Paris`.
       * @example Europe/Paris
       */
      timezone: string;
      /**
       * @description The days on which messages may be sent: 1 is Monday, 7 is Sunday. A window over midnight belongs to the day on which it begins.
       * @example [
       *       1,
       *       2,
       *       3,
       *       4,
       *       5
       *     ]
       */
      days: number[];
      /**
       * @description The time of day from which messages may be sent, as `HH:MM`.
       * @example 09:00
       */
      start: string;
      /**
       * @description The time of day before which messages may be sent, as `HH:MM`. If it is earlier than `start`, the window ends on the next day. It cannot be equal to `start`.
       * @example 18:00
       */
      end: string;
      /**
       * @description Days on which no messages are sent, as `YYYY-MM-DD`: at most 400, each once. A window over midnight that begins on one of them is left out; one that began on the day before goes on until its end. `null` means `[]`.
       * @example [
       *       "2026-05-01"
       *     ]
       */
      holidays?: string[] | null;
      /**
       * @description Whether the days and times are those of the time zone of each contact, by its field `timezone`. For contacts without one they are those of `timezone` above. `null` means `false`.
       * @default false
       */
      contact_timezone: boolean | null;
    };
    Segment: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 9
       */
      id: number;
      /**
       * @description The name. At most 255 characters.
       * @example Decision makers of large companies
       */
      name: string;
      /**
       * @description What the segment is for; null if there is no description. At most 1,000 characters.
       * @example To be called by sales
       */
      description: string | null;
      /** @description How conditions without a `connector` are joined. */
      match_type: components['schemas']['MatchType'];
      /** @description 1 to 20 conditions, in their order. */
      conditions: components['schemas']['SegmentCondition'][];
      /**
       * @description How many contacts matched at `contacts_counted_at`.
       * @example 1
       */
      contacts_count: number;
      /**
       * Format: date-time
       * @description When the contacts were counted. A large segment is not counted again at each request.
       * @example 2026-03-02T08:30:00.000Z
       */
      contacts_counted_at: string;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:30:00.000Z
       */
      updated_at: string;
    };
    SegmentCondition: {
      /**
       * @description What to compare: `email`, `external_id`, `first_name`, `last_name`, `full_name`, `company`, `phone`, `job_title`, `linkedin_url`, `timezone` (texts); `status`, `lifecycle_stage`, `tracking_consent` (enums); `subscribed_at`, `unsubscribed_at`, `created_at`, `updated_at` (dates); `company_id`, `tag_id`, `list_id` (IDs); or `custom_fields.<key>`, with the type of the custom field.
       * @example custom_fields.employees
       */
      field: string;
      /** @description How to compare. Which operators are possible depends on the type of the field. */
      operator: components['schemas']['Operator'];
      /**
       * @description What to compare with, at most 500 characters: a text; a number; `true` or `false`; a day such as `2026-09-30` or an instant with its offset; the ID of a company, tag or list; or a value of the enum. A JSON number or boolean is read as its text. It is ignored for `is_empty` and `is_not_empty`, and required for all others.
       * @example 100
       */
      value: string | null;
      /** @description Joins this condition with the one before it, instead of `match_type`. It has no effect on the first condition. */
      connector: components['schemas']['Connector'] | null;
    };
    SegmentPage: {
      /** @description The records of this page. */
      data: components['schemas']['Segment'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    SegmentPreview: {
      /**
       * @description How many contacts match now.
       * @example 1
       */
      count: number;
      /** @description Up to five of them. */
      sample: components['schemas']['Contact'][];
    };
    SendTest: {
      /**
       * Format: email
       * @description The address that gets the message.
       * @example ann@example.com
       */
      to: string;
      /**
       * @description The contact whose fields fill the variables. Without a contact, samples fill them. A token needs the permission `contacts:read` to name one. `null` means no value.
       * @example 4711
       */
      contact_id?: number | null;
      /**
       * @description The variant of the step that is sent. Without it, the first one that has a weight; without variants, the step. `null` means no value.
       * @example 7
       */
      variant_id?: number | null;
    };
    SkippedStep: {
      /**
       * @description The result in a sentence, for people.
       * @example The contact was moved to the next step.
       */
      message: string;
      /**
       * @description `completed` if the skipped step was the last one; null if the status has not changed.
       * @enum {string|null}
       */
      status: 'completed' | null;
      /**
       * @description The step that is sent next; null if the skipped one was the last one.
       * @example 64
       */
      current_step_id: number | null;
    };
    /**
     * @description How the connection to the mail server is encrypted.
     *
     *     - `tls`: STARTTLS, as on port 587. On the ports 25 and 2525 it is used if the server offers it; on others it is required.
     *     - `ssl`: TLS from the beginning, as on port 465.
     * @enum {string}
     */
    SmtpEncryption: 'tls' | 'ssl';
    Step: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 63
       */
      id: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      campaign_id: number;
      /**
       * @description The place in the sequence, from 1.
       * @example 1
       */
      position: number;
      /**
       * @description The template that the text was copied from; null if there is none. Later changes of the template do not change the step.
       * @example 14
       */
      template_id: number | null;
      /**
       * @description The subject, with variables as in a template. At most 500 characters, in one line.
       * @example Good to meet you, {{ first_name }}
       */
      subject: string;
      /**
       * @description The HTML, with variables as in a template. At most 256 KB.
       * @example <p>Hello {{ first_name }}, here are the slides.</p>
       */
      body: string;
      /**
       * @description The pause in minutes after the previous step was sent, 0 to 525,600 (a year); for the first step after the contact was enrolled, or the campaign was started. A day has 1,440 minutes.
       * @example 0
       */
      delay_minutes: number;
      /**
       * @description Whether it is sent as a reply to the previous message, so that mail programs show both together.
       * @example false
       */
      same_thread: boolean;
      /** @description A condition on the opens and clicks of people in the messages of earlier steps; null if there is none. It is evaluated once, when the step is due: where it does not hold, the contact goes on with the next step, whose delay counts from then. Where nothing was sent before, `opened` and `clicked` do not hold. */
      only_if: components['schemas']['StepCondition'] | null;
      /**
       * @description The names of variables without which the step is not sent: fields of contacts, and custom fields as templates name them. While a contact has no value for one of them, its message waits with the reason `missing_variable`; a change of the contact releases it. `0` and `false` are values, white space alone is none.
       * @example [
       *       "first_name"
       *     ]
       */
      required_variables: string[];
      /** @description Other texts of the step, 0 to 5. With any, the text of the step itself is not sent: each contact gets one of the variants, which is drawn once, by weight, and stays. */
      variants: components['schemas']['StepVariant'][];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      updated_at: string;
    };
    /**
     * @description A condition on what the contact has done with the messages of other steps that it has got before.
     *
     *     - `opened`: A person has opened one of them.
     *     - `not_opened`: No person has opened one of them.
     *     - `clicked`: A person has clicked a link in one of them.
     *     - `not_clicked`: No person has clicked a link in one of them.
     * @enum {string}
     */
    StepCondition: 'opened' | 'not_opened' | 'clicked' | 'not_clicked';
    StepCounts: {
      /**
       * @description The ID of the step.
       * @example 63
       */
      step_id: number;
      /**
       * @description The place of the step in the sequence, from 1.
       * @example 1
       */
      position: number;
      /**
       * @description Messages that wait for their turn.
       * @example 12
       */
      queued: number;
      /**
       * @description Messages that a mail server has accepted.
       * @example 228
       */
      sent: number;
      /**
       * @description Messages that a report calls delivered. Many mail servers send no such report.
       * @example 214
       */
      delivered: number;
      /**
       * @description Messages that a person has opened.
       * @example 120
       */
      opened: number;
      /**
       * @description Messages that a person or a bot has opened, as if every request counted.
       * @example 131
       */
      opened_raw: number;
      /**
       * @description Messages with a link that a person has clicked.
       * @example 33
       */
      clicked: number;
      /**
       * @description Messages with a link that a person or a bot has followed, as if every request counted.
       * @example 47
       */
      clicked_raw: number;
      /**
       * @description Messages with a reply.
       * @example 19
       */
      replied: number;
      /**
       * @description Messages that were refused for good or reported as undeliverable.
       * @example 4
       */
      bounced: number;
      /**
       * @description Messages that the recipient has marked as spam.
       * @example 0
       */
      complained: number;
      /**
       * @description Messages through which the recipient has unsubscribed.
       * @example 2
       */
      unsubscribed: number;
      /**
       * @description Messages that were not sent, because all attempts have failed.
       * @example 0
       */
      failed: number;
      /**
       * @description Messages of which nobody knows whether a mail server has accepted them.
       * @example 0
       */
      unknown: number;
      /**
       * @description The share of `opened` in `sent`, from 0 to 1.
       * @example 0.5263
       */
      open_rate: number;
      /**
       * @description The share of `clicked` in `sent`, from 0 to 1.
       * @example 0.1447
       */
      click_rate: number;
      /**
       * @description The share of `replied` in `sent`, from 0 to 1.
       * @example 0.0833
       */
      reply_rate: number;
      /**
       * @description The share of `bounced` in `sent`, from 0 to 1.
       * @example 0.0175
       */
      bounce_rate: number;
      /** @description The messages by variant, in the order of the variants. Those of variants that were removed count for the step alone. */
      variants: components['schemas']['VariantCounts'][];
    };
    StepVariant: {
      /**
       * @description Messages and statistics show it as `variant_id`.
       * @example 7
       */
      id: number;
      /**
       * @description The name, for you. At most 255 characters.
       * @example Question
       */
      name: string;
      /**
       * @description The share of the contacts that get it, relative to the weights of the other variants: 0 to 100. 0 means none.
       * @example 50
       */
      weight: number;
      /**
       * @description The subject; null means that of the step.
       * @example A question, {{ first_name }}
       */
      subject: string | null;
      /**
       * @description The HTML; null means that of the step.
       * @example <p>Hello {{ first_name }}</p>
       */
      body: string | null;
    };
    Tag: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      id: number;
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Decision maker
       */
      name: string;
      /**
       * @description The colour in which to show the tag, as `#rrggbb`; null if there is none.
       * @example #2f6f4f
       */
      color: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      updated_at: string;
    };
    TagPage: {
      /** @description The records of this page. */
      data: components['schemas']['Tag'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    TagReference: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      id: number;
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Decision maker
       */
      name?: string;
      /**
       * @description The colour in which to show the tag, as `#rrggbb`; null if there is none.
       * @example #2f6f4f
       */
      color?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      updated_at?: string;
    };
    Template: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 14
       */
      id: number;
      /**
       * @description The name, for you. At most 255 characters.
       * @example After the fair
       */
      name: string;
      /**
       * @description The subject, with variables such as `{{ first_name }}`. At most 500 characters, in one line.
       * @example Good to meet you, {{ first_name | default: "and thank you" }}
       */
      subject: string;
      /**
       * @description The HTML, with variables: every field of a contact (`{{ first_name }}`), every custom field by its key (`{{ employees }}`), `{{ sender.name }}`, `{{ sender.email }}`, `{{ sender_address }}` and `{{ unsubscribe_url }}`. `{{ first_name | default: "there" }}` gives a text for an empty value; a variable that does not exist is empty. `{{ company | url }}` is percent-encoded, for links: `https://example.com/?q={{ company | url }}`. At most 256 KB, with at most 500 variables.
       * @example <p>Hello {{ first_name }},</p><p>thank you for your visit. How do you plan for {{ employees }} people?</p><p>{{ sender.name }}</p>
       */
      body: string;
      /** @description What the template is for. */
      category: components['schemas']['TemplateCategory'];
      /**
       * @description The names that were given, then those found in subject and body, each once.
       * @example [
       *       "first_name",
       *       "employees",
       *       "sender.name"
       *     ]
       */
      variables: string[];
      /**
       * @description Variables that are neither a field of contacts, nor a custom field of the workspace, nor built in. They will be empty.
       * @example []
       */
      unknown_variables: string[];
      /**
       * @description Whether the template is in the library of the workspace.
       * @example true
       */
      is_library: boolean;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:40:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:40:00.000Z
       */
      updated_at: string;
    };
    /**
     * @description What a template is for. It only sorts and filters templates.
     *
     *     - `prospection`: The first message to somebody who does not know you.
     *     - `follow-up`: A message after one without a reply.
     *     - `welcome`: The first message to a new customer or subscriber.
     *     - `newsletter`: News for many readers.
     *     - `promotional`: An offer.
     *     - `transactional`: A message about something the recipient has done, such as an order.
     *     - `other`: None of these. The default.
     * @enum {string}
     */
    TemplateCategory:
      'prospection' | 'follow-up' | 'welcome' | 'newsletter' | 'promotional' | 'transactional' | 'other';
    TemplatePage: {
      /** @description The records of this page. */
      data: components['schemas']['Template'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    TemplatePreview: {
      /**
       * @description The subject with all variables filled in.
       * @example Good to meet you, Claire
       */
      subject: string;
      /**
       * @description The HTML with all variables filled in; values are escaped.
       * @example <p>Hello Claire,</p><p>thank you for your visit. How do you plan for 140 people?</p><p>Julie Bernard</p>
       */
      body: string;
      /**
       * @description Variables that have neither a value in the request nor a known meaning. They are empty.
       * @example []
       */
      unknown_variables: string[];
    };
    TemplateVariables: {
      /**
       * @description The names that were given, then those found in subject and body, each once.
       * @example [
       *       "first_name",
       *       "employees",
       *       "sender.name"
       *     ]
       */
      variables: string[];
    };
    TestSend: {
      /**
       * @description Whether the mail server has accepted the message.
       * @example true
       */
      success: boolean;
      /**
       * @description What the mail server said, or what has failed, in a sentence.
       * @example The mail server has accepted the message.
       */
      message: string;
      /**
       * @description The header `Message-ID`, without angle brackets; null if the message was certainly not accepted.
       * @example 5c8f2b3e-7f0a-4c55-9d3c-1a2b3c4d5e6f@acme-events.example
       */
      message_id: string | null;
    };
    /**
     * @description Whether opens and clicks of a contact may be measured.
     *
     *     - `unknown`: The contact has not been asked. Measured, unless the setting `tracking_consent_required` of the workspace says otherwise.
     *     - `granted`: The contact has agreed.
     *     - `refused`: The contact has refused: messages have no pixel and no tracked links, and nothing is recorded.
     * @enum {string}
     */
    TrackingConsent: 'unknown' | 'granted' | 'refused';
    TrackingDomain: {
      /**
       * @description The host name in lower case, with A-labels (RFC 5890).
       * @example links.acme-events.example
       */
      domain: string;
    };
    /**
     * @description What happens to a message if the connection was lost after its content was sent, so that nobody knows whether the mail server accepted it.
     *
     *     - `resend`: It is sent a second time, with the same `Message-ID`, so that most mail programs show one copy. If the second result is unknown too, it gets the status `unknown`.
     *     - `hold`: It is not sent again. It has the status `unknown` until somebody retries it.
     * @enum {string}
     */
    UnknownPolicy: 'resend' | 'hold';
    UpdateCampaign: {
      /**
       * @description The name, for you. At most 255 characters.
       * @example Spring fair follow-up
       */
      name?: string;
      /**
       * @description What the campaign is for; null if there is no description. At most 1,000 characters. `null` means no value.
       * @example Visitors of our stand
       */
      description?: string | null;
      /**
       * @description The email accounts that send, in turns: at most 1,000 IDs. An account that is named twice counts once. Empty means the default account of the workspace. `null` means `[]`.
       * @example [
       *       5
       *     ]
       */
      email_account_ids?: number[] | null;
      /** @description When messages may be sent; null means at any time. What is due outside of it waits. */
      schedule?: components['schemas']['Schedule'] | null;
      /**
       * @description Whether opens are measured, with an invisible picture in the message. `null` means the setting of the workspace.
       * @example false
       */
      track_opens?: boolean | null;
      /**
       * @description Whether clicks are measured, with links that lead through the service. `null` means the setting of the workspace.
       * @example true
       */
      track_clicks?: boolean | null;
      /**
       * @description Whether a contact that replies gets no further steps. `null` means `true`.
       * @example true
       */
      stop_on_reply?: boolean | null;
      /**
       * @description Whether messages without `{{ unsubscribe_url }}` get a footer: who writes, the postal address of the workspace if it has one, unless the message uses `{{ sender_address }}`, and the unsubscribe link. The header `List-Unsubscribe` is always there. `null` means `true`.
       * @example true
       */
      unsubscribe_footer?: boolean | null;
      /** @description The language of the footer. A contact whose custom field `language` or `locale` names another one of these, such as `fr`, `pt-BR` or `German`, gets the footer in that language. `null` means `en`. */
      language?: components['schemas']['CampaignLanguage'] | null;
      /** @description What happens to a message of which nobody knows whether the mail server accepted it. `null` means `resend`. */
      on_unknown?: components['schemas']['UnknownPolicy'] | null;
      /**
       * @description The share of bounced messages, from 0 to 1, over which the campaign pauses itself, with the `pause_reason` `bounce_rate`: of the messages since its last start, from 50 on. What counts is what the statistics call `bounced`: messages that are refused because their address is dead, and all that are reported as undeliverable later. Null means that it never does.
       * @example 0.1
       */
      stop_at_bounce_rate?: number | null;
      /**
       * @description The share of messages that recipients have marked as spam, from 0 to 1, over which the campaign pauses itself, with the `pause_reason` `complaint_rate`: of the messages since its last start, from 300 on. Null means that it never does.
       * @example 0.003
       */
      stop_at_complaint_rate?: number | null;
      /**
       * @description Whether contacts are skipped when they are enrolled while they have a running enrollment in another active campaign. `null` means `false`.
       * @example false
       */
      skip_running_elsewhere?: boolean | null;
      /**
       * @description Whether a reply of a person ends the running enrollments of all contacts with the same `company_id` in this campaign, whatever `stop_on_reply` says. A contact without a company ends its own one. `null` means `false`.
       * @example false
       */
      stop_company_on_reply?: boolean | null;
      /** @description The lists and segments whose members are enrolled while the campaign is active: those at its start, and those who join later. Null means none. */
      auto_enroll?: components['schemas']['AutoEnroll'] | null;
      /**
       * @description How many contacts may get their first message of the campaign on one day, from 1 to 1,000,000. The other new contacts wait for the next day; later messages to contacts who have got one do not. Null means no limit. A lower number takes effect at once.
       * @example 50
       */
      max_new_contacts_per_day?: number | null;
      /**
       * @description How many days, from 1 to 365, a message waits after the last one to its contact. Null means that it does not.
       * @example 3
       */
      min_days_since_last_message?: number | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 21
       */
      readonly id?: number;
      /** @description Where the campaign is in its life. It changes by the operations `start` and `pause`, and when all contacts are finished. */
      readonly status?: components['schemas']['CampaignStatus'];
      /**
       * @description How many steps it has.
       * @example 3
       */
      readonly steps_count?: number;
      /**
       * @description How many contacts are enrolled, the finished ones included.
       * @example 240
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When it was started for the first time; null if it never was.
       * @example 2026-03-03T07:30:12.480Z
       */
      readonly started_at?: string | null;
      /**
       * Format: date-time
       * @description When it was paused; null if it is not paused.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly paused_at?: string | null;
      /** @description Why the service has paused it; null if it is not paused, or was paused by request. */
      readonly pause_reason?: components['schemas']['PauseReason'] | null;
      /**
       * Format: date-time
       * @description When all contacts were finished; null if it is not completed.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly completed_at?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly updated_at?: string;
    };
    UpdateCompany: {
      /**
       * @description The name. At most 255 characters. Two companies can have the same name.
       * @example Acme
       */
      name?: string;
      /**
       * Format: idn-hostname
       * @description The company's host name, such as `acme.example`; null if unknown. At most 253 characters. `null` means no value.
       * @example acme.example
       */
      domain?: string | null;
      /**
       * Format: uri
       * @description The address of the website, with `http://` or `https://`; null if unknown. At most 500 characters. `null` means no value.
       * @example https://www.acme.example
       */
      website?: string | null;
      /**
       * @description The industry, in your own words; null if unknown. At most 255 characters. `null` means no value.
       * @example Logistics and storage
       */
      industry?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 12
       */
      readonly id?: number;
      /**
       * @description How many contacts are linked to the company.
       * @example 4
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:10:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:10:00.000Z
       */
      readonly updated_at?: string;
    };
    UpdateContact: {
      /**
       * Format: email
       * @description A new address, at most 254 characters. 409 if another contact of the workspace has it.
       * @example claire.martin@acme.example
       */
      email?: string;
      /**
       * @description The ID of the contact in another system, at most 255 characters, compared exactly. 409 if another contact of the workspace has it. `null` means no value.
       * @example crm-20817
       */
      external_id?: string | null;
      /**
       * @description The first name; null if unknown. At most 255 characters. In templates: `{{ first_name }}`. `null` means no value.
       * @example Claire
       */
      first_name?: string | null;
      /**
       * @description The last name; null if unknown. At most 255 characters. `null` means no value.
       * @example Martin
       */
      last_name?: string | null;
      /**
       * @description The name of the company as a text; null if unknown. At most 255 characters. It is independent of `company_id`. `null` means no value.
       * @example Acme
       */
      company?: string | null;
      /**
       * @description The ID of the company that the contact is linked to; null if there is none. `null` means no value.
       * @example 12
       */
      company_id?: number | null;
      /**
       * @description The phone number, in any notation; null if unknown. At most 50 characters. `null` means no value.
       * @example +33 1 70 18 99 00
       */
      phone?: string | null;
      /**
       * @description The job title; null if unknown. At most 255 characters. `null` means no value.
       * @example Chief Operating Officer
       */
      job_title?: string | null;
      /**
       * @description The address of the LinkedIn profile; null if unknown. At most 500 characters. `null` means no value.
       * @example https://www.linkedin.com/in/claire-martin
       */
      linkedin_url?: string | null;
      /**
       * @description The contact's time zone by its IANA name, such as `Europe/Paris`; null if unknown. `null` means no value.
       * @example Europe/Paris
       */
      timezone?: string | null;
      /** @description How far the contact is on the way to being a customer. `null` means `subscriber`. */
      lifecycle_stage?: components['schemas']['LifecycleStage'] | null;
      /** @description Whether the service may write to the contact. A contact that has opted out in another system is `unsubscribed`, `bounced` or `complained`. No input makes such a contact `active` again: that is 422, and so is another status than `complained` for one that has complained. `null` means `active`. */
      status?: components['schemas']['ContactStatus'] | null;
      /**
       * Format: date-time
       * @description When the contact has unsubscribed, as an instant or a day in UTC, not in the future. It comes with a `status` other than `active`; without it that is now. The earlier one of the stored and the sent date stays. `null` means no value.
       * @example 2026-03-17T16:45:03.211Z
       */
      unsubscribed_at?: string | null;
      /** @description Whether opens and clicks may be measured. A value that differs from the stored one sets `tracking_consent_at`, and `tracking_consent_source` to what the same request names, or null. `null` means `unknown`. */
      tracking_consent?: components['schemas']['TrackingConsent'] | null;
      /**
       * @description How the contact has agreed or refused, such as the name of a form. At most 255 characters. `null` means no value.
       * @example Form at the spring fair
       */
      tracking_consent_source?: string | null;
      /**
       * @description Values by key: at most 100 keys of 1 to 64 letters, digits, underscores and hyphens. A string has at most 5,000 characters. An update keeps the keys that it does not name; null removes a key. A new key becomes a custom field of the workspace, with the type of its first value. `null` means no value.
       * @example {
       *       "employees": 165,
       *       "renewal": null
       *     }
       */
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      /**
       * @description The IDs of the tags, at most 1,000; records as a response shows them are accepted, too. An update replaces all tags of the contact. `null` means no value.
       * @example [
       *       {
       *         "id": 3,
       *         "name": "Decision maker",
       *         "color": "#2f6f4f",
       *         "created_at": "2026-03-02T08:15:30.120Z",
       *         "updated_at": "2026-03-02T08:15:30.120Z"
       *       }
       *     ]
       */
      tags?: (number | components['schemas']['TagReference'])[] | null;
      /**
       * @description The IDs of the lists, at most 1,000; records as a response shows them are accepted, too. An update replaces all lists of the contact. `null` means no value.
       * @example [
       *       {
       *         "id": 8,
       *         "name": "Spring fair",
       *         "description": null,
       *         "created_at": "2026-03-02T08:15:30.120Z",
       *         "updated_at": "2026-03-02T08:15:30.120Z"
       *       }
       *     ]
       */
      lists?: (number | components['schemas']['ContactListReference'])[] | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4711
       */
      readonly id?: number;
      /**
       * @description The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set.
       * @example Claire Martin
       */
      readonly full_name?: string | null;
      /**
       * Format: date-time
       * @description When the contact agreed or refused; null if it has not been asked.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly tracking_consent_at?: string | null;
      /**
       * Format: date-time
       * @description When the contact was created, or subscribed again.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly subscribed_at?: string | null;
      /**
       * Format: date-time
       * @description Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-09T14:02:11.875Z
       */
      readonly updated_at?: string;
      /**
       * @description Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the workspace. One that you did not expect is a typo: delete the custom field.
       * @example [
       *       "employees"
       *     ]
       */
      readonly new_custom_fields?: string[];
    };
    UpdateCustomField: {
      /**
       * @description The name for people. At most 255 characters. Without one it is the key. `null` means no value.
       * @example Staff
       */
      label?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 2
       */
      readonly id?: number;
      /**
       * @description The name in `custom_fields`, in templates (`{{ key }}`) and in conditions (`custom_fields.<key>`): 1 to 64 letters, digits, underscores and hyphens. Unique in the workspace; it never changes.
       * @example employees
       */
      readonly key?: string;
      /** @description The type of all values. A value of another type is refused. */
      readonly type?: components['schemas']['CustomFieldType'];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:05:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:05:00.000Z
       */
      readonly updated_at?: string;
    };
    UpdateEmailAccount: {
      /**
       * @description The name, for you. At most 255 characters.
       * @example Julie's mailbox
       */
      name?: string;
      /** @description Accepted if it is the type of the account, which never changes. */
      type?: components['schemas']['EmailAccountType'];
      /**
       * Format: email
       * @description The sender's address in the header `From`.
       * @example julie@acme-events.example
       */
      from_email?: string;
      /**
       * @description The sender's name in the header `From`. At most 255 characters, in one line.
       * @example Julie Bernard
       */
      from_name?: string;
      /**
       * @description How many messages it sends in a day (UTC) at most: 1 to 10,000. `null` means `500`.
       * @example 300
       */
      daily_limit?: number | null;
      /**
       * @description At least so many seconds lie between two messages, and up to half as much more at random, across all campaigns and workers. 0: none. `null` means `0`.
       * @example 120
       */
      min_seconds_between?: number | null;
      /**
       * @description Warms the account up: it sends at most so many messages on the first day, and `ramp_per_day` more on each day that follows, until `daily_limit` is reached. Days on which nothing was due do not count. A new value begins anew, null ends the ramp. `null` means no value.
       * @example 20
       */
      ramp_start?: number | null;
      /**
       * @description By how many messages the limit grows per day. `null` means `5`.
       * @example 10
       */
      ramp_per_day?: number | null;
      /**
       * @description Whether it sends. The service sets it to `false` for one of the reasons in `disabled_reason`. `null` means `true`.
       * @example true
       */
      is_active?: boolean | null;
      /**
       * @description The mail server's host name or IP address. A new one requires `smtp_password` again.
       * @example smtp.gmail.com
       */
      smtp_host?: string | null;
      /**
       * @description The port. A new one requires `smtp_password` again.
       * @example 587
       * @enum {integer|null}
       */
      smtp_port?: 25 | 465 | 587 | 993 | 995 | 2525 | null;
      /**
       * @description The user name at the mail server. A new one requires `smtp_password` again.
       * @example julie@acme-events.example
       */
      smtp_username?: string | null;
      /**
       * @description A new password. Without it the stored one stays.
       * @example a-long-app-password
       */
      smtp_password?: string | null;
      /** @description How the connection is encrypted. A change requires `smtp_password` again. `null` means `tls`. */
      smtp_encryption?: components['schemas']['SmtpEncryption'] | null;
      /**
       * @description The IMAP server's host name or IP address. A new one requires `imap_password` or, if the password is the same, `smtp_password` again. null ends the reading, and clears `imap_username` and `imap_password`. `null` means no value.
       * @example imap.gmail.com
       */
      imap_host?: string | null;
      /**
       * @description The port. A new one requires the password again. `null` means `993`.
       * @example 993
       */
      imap_port?: number | null;
      /**
       * @description The user name at the IMAP server; null for that of SMTP. A new one requires the password again. `null` means no value.
       * @example julie@acme-events.example
       */
      imap_username?: string | null;
      /**
       * @description A new password. Without it the stored one stays; null, with `smtp_password`, for that of SMTP. `null` means no value.
       * @example a-long-app-password
       */
      imap_password?: string | null;
      /** @description How the connection to the IMAP server is encrypted. A change requires the password again. `null` means `ssl`. */
      imap_encryption?: components['schemas']['ImapEncryption'] | null;
      /**
       * @description A new API key. Without it the stored one stays.
       * @example SG.kq3m0
       */
      sendgrid_api_key?: string | null;
      /**
       * @description The "Verification Key" of SendGrid's signed event webhook (base64). `null` means no value.
       * @example MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O
       */
      sendgrid_webhook_key?: string | null;
      /**
       * @description The domain for which messages are signed (DKIM): that of `from_email`, or one above it. null ends the signing, and clears `dkim_selector` and `dkim_private_key`. `null` means no value.
       * @example acme-events.example
       */
      dkim_domain?: string | null;
      /**
       * @description The selector of the key. null ends the signing, as `dkim_domain: null` does. `null` means no value.
       * @example outreach
       */
      dkim_selector?: string | null;
      /**
       * @description A new private key. Without it the stored one stays; null ends the signing, as `dkim_domain: null` does. `null` means no value.
       * @example -----BEGIN PRIVATE KEY-----
       *     MC4CAQAwBQYDK2VwBCIEIJ
       *     -----END PRIVATE KEY-----
       */
      dkim_private_key?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 5
       */
      readonly id?: number;
      /**
       * @description Whether campaigns without accounts of their own send from it. One account of the workspace is the default.
       * @example true
       */
      readonly is_default?: boolean;
      /** @description Why the service has set `is_active` to `false`; null if it has not. An update with `is_active: true` clears it, and so does connecting the account again. */
      readonly disabled_reason?: components['schemas']['DisabledReason'] | null;
      /**
       * Format: date-time
       * @description When the service did so; null if it has not.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly disabled_at?: string | null;
      /**
       * Format: date
       * @description The first day (UTC) of the ramp; null without a ramp. It is set when `ramp_start` is set or changed.
       * @example 2026-03-02
       */
      readonly ramp_started_on?: string | null;
      /**
       * @description How many messages it has sent today (UTC).
       * @example 0
       */
      readonly sent_today?: number;
      /**
       * Format: date-time
       * @description When it sent the last message; null if it never has.
       * @example 2026-03-03T09:14:27.052Z
       */
      readonly last_used_at?: string | null;
      /**
       * Format: date-time
       * @description Until when its messages wait because its provider or relay has said that it sends too many (`provider_limit`); null if they do not. The waits get longer, up to an hour and a half, until a message is accepted.
       * @example 2026-03-03T09:29:27.052Z
       */
      readonly limited_until?: string | null;
      /**
       * @description Whether its mailbox is read: always for `google` and `microsoft`, for `smtp` if it has an `imap_host`.
       * @example true
       */
      readonly reads_mailbox?: boolean;
      /**
       * Format: date-time
       * @description When its mailbox was last read to the end; null if it never was. It stands still while reading fails.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly mailbox_read_at?: string | null;
      /**
       * @description Why its mailbox could not be read when it was tried last, or which mail its server does not give: the mails behind that one are read, and it is tried again for 7 days. Null if neither is so.
       * @example The mail 4711 in the folder INBOX could not be read: imap.gmail.com, port 993: the server replied Internal error (SERVERBUG)
       */
      readonly last_error?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:50:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:50:00.000Z
       */
      readonly updated_at?: string;
    };
    UpdateList: {
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Spring fair
       */
      name?: string;
      /**
       * @description What the list is for; null if there is no description. At most 1,000 characters. `null` means no value.
       * @example Visitors of our stand in Lyon and in Paris
       */
      description?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 8
       */
      readonly id?: number;
      /**
       * @description How many contacts are in the list. Absent if the list is shown inside a contact.
       * @example 240
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly updated_at?: string;
    };
    UpdateReply: {
      /**
       * @description `reply`, `out_of_office`, `automatic`, or one of your own: 1 to 50 characters of `a-z`, `0-9`, `_` and `-`. It changes nothing but the record: no enrollment is ended or continued.
       * @example interested
       */
      classification?: string;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 918
       */
      readonly id?: number;
      /**
       * @description The ID of the campaign of the message that it answers.
       * @example 21
       */
      readonly campaign_id?: number;
      /**
       * @description The ID of the enrollment.
       * @example 10482
       */
      readonly enrollment_id?: number;
      /**
       * @description The ID of the contact to whom the message was sent.
       * @example 4711
       */
      readonly contact_id?: number;
      /**
       * @description The email account that sent the message, and sends an answer; null if it was deleted.
       * @example 5
       */
      readonly email_account_id?: number | null;
      /**
       * @description The header `Message-ID` of the message that it answers, without angle brackets.
       * @example AAEAAhVb3kq0.fX2m9Zs@acme-events.example
       */
      readonly message_id?: string | null;
      /** @description Who wrote it. */
      readonly from?: components['schemas']['ReplySender'];
      /**
       * @description The subject; may be empty.
       * @example Re: Good to meet you, Claire
       */
      readonly subject?: string;
      /**
       * @description What the sender wrote, without the quoted message; at most 20,000 characters, may be empty.
       * @example Thursday at ten works for me.
       */
      readonly text?: string;
      /**
       * @description Whether a machine wrote it. Such a reply ends no enrollment. Another classification does not change it.
       * @example false
       */
      readonly is_automatic?: boolean;
      /**
       * Format: date
       * @description The day on which the sender is back, as `YYYY-MM-DD`; null if the mail names none.
       * @example 2026-03-09
       */
      readonly returns_on?: string | null;
      /**
       * Format: date-time
       * @description When the mail was received.
       * @example 2026-03-03T11:40:05.000Z
       */
      readonly received_at?: string;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T11:40:06.118Z
       */
      readonly created_at?: string;
    };
    UpdateSegment: {
      /**
       * @description The name. At most 255 characters.
       * @example Decision makers of very large companies
       */
      name?: string;
      /**
       * @description What the segment is for; null if there is no description. At most 1,000 characters. `null` means no value.
       * @example To be called by sales
       */
      description?: string | null;
      /** @description How conditions without a `connector` are joined. */
      match_type?: components['schemas']['MatchType'];
      /** @description 1 to 20 conditions, which replace all that the segment has. A condition whose tag, list, company or custom field was deleted can be sent back as it was read. */
      conditions?: components['schemas']['Condition'][];
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 9
       */
      readonly id?: number;
      /**
       * @description How many contacts matched at `contacts_counted_at`.
       * @example 1
       */
      readonly contacts_count?: number;
      /**
       * Format: date-time
       * @description When the contacts were counted. A large segment is not counted again at each request.
       * @example 2026-03-02T08:30:00.000Z
       */
      readonly contacts_counted_at?: string;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:30:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:30:00.000Z
       */
      readonly updated_at?: string;
    };
    UpdateSettings: {
      /**
       * @description The postal address of the sender, which many countries require in advertising. At most 500 characters, also in several lines. In templates: `{{ sender_address }}`. `null` means no value.
       * @example Acme Events, 12 rue de la Foire, 69002 Lyon, France
       */
      postal_address?: string | null;
      /**
       * @description The template variable `brand.name`; by default the name of the sender. `null` means no value.
       * @example Acme Events
       */
      brand_name?: string | null;
      /**
       * @description The template variable `brand.color`, from which the other colors of the brand are derived. `null` means no value.
       * @example #1a56c4
       */
      brand_color?: string | null;
      /**
       * Format: uri
       * @description The image of the template variable `brand.logo`. Messages show it 40 pixels high. `null` means no value.
       * @example https://acme-events.example/logo.png
       */
      logo_url?: string | null;
      /**
       * @description A host name of yours, such as `links.example.com`, that leads to the host of the service as its alias (CNAME) or with its address, and has a TXT record with `tracking_domain_txt_name` and `tracking_domain_txt_value`. Links for unsubscribing and for tracking in new messages then begin with `https://` and it. One that leads somewhere else, has no such record, or is used by another workspace is saved, but not used until that has changed. `null` means no value.
       * @example links.acme-events.example
       */
      tracking_domain?: string | null;
      /**
       * @description Whether opens and clicks of a contact are measured only if its `tracking_consent` is `granted`, as France and Italy require. With `auto`, the default of new workspaces, that holds for contacts whose `timezone` or country lies in the EU, the EEA, Switzerland or the United Kingdom. The country is that of the custom field `country` or `country_code`: a code (ISO 3166-1) or a name. It holds for messages that were sent before, too. `null` means `auto`.
       * @example false
       * @enum {boolean|string|null}
       */
      tracking_consent_required?: true | false | 'auto' | null;
      /**
       * @description Whether new campaigns measure opens, if they do not say. `null` means `true`.
       * @example true
       */
      track_opens?: boolean | null;
      /**
       * @description Whether new campaigns measure clicks, if they do not say. `null` means `true`.
       * @example true
       */
      track_clicks?: boolean | null;
      /**
       * @description The name of the TXT record with which the owner of `tracking_domain` gives it to this workspace; null if there is no domain.
       * @example _outreach-challenge.links.acme-events.example
       */
      readonly tracking_domain_txt_name?: string | null;
      /**
       * @description The value of that record, which is the same for all domains of the workspace.
       * @example outreach-verification=1f0c9b52-6d0e-4a0b-9c1e-3b8f5d2a7e64
       */
      readonly tracking_domain_txt_value?: string;
      /**
       * Format: date-time
       * @description Since when `tracking_domain` has led to the service and has had the TXT record of this workspace; null if it does not, or while another workspace uses it. It is looked up when it is set, and every hour.
       * @example 2026-03-17T16:45:03.211Z
       */
      readonly tracking_domain_verified_at?: string | null;
    };
    UpdateStep: {
      /**
       * @description The subject, with variables as in a template. At most 500 characters, in one line.
       * @example Good to meet you, {{ first_name }}
       */
      subject?: string;
      /**
       * @description The HTML, with variables as in a template. At most 256 KB.
       * @example <p>Hello {{ first_name }}, here are the slides.</p>
       */
      body?: string;
      /**
       * @description The place in the sequence, from 1; the steps from there on move up by one. A position after the end means the end, and so does none. `null` means no value.
       * @example 1
       */
      position?: number | null;
      /**
       * @description The template to copy `subject` and `body` from, where they are absent. `null` means no value.
       * @example 14
       */
      template_id?: number | null;
      /**
       * @description The pause in minutes after the previous step was sent, 0 to 525,600 (a year); for the first step after the contact was enrolled, or the campaign was started. A day has 1,440 minutes. `null` means `0`.
       * @example 2880
       */
      delay_minutes?: number | null;
      /**
       * @description Whether it is sent as a reply to the previous message, so that mail programs show both together. `null` means `false`.
       * @example false
       */
      same_thread?: boolean | null;
      /** @description A condition on the opens and clicks of people in the messages of earlier steps; null if there is none. It is evaluated once, when the step is due: where it does not hold, the contact goes on with the next step, whose delay counts from then. Where nothing was sent before, `opened` and `clicked` do not hold. `null` means no value. */
      only_if?: components['schemas']['StepCondition'] | null;
      /**
       * @description The names of at most 500 variables: fields of contacts, and custom fields with or without `custom_fields.` `null` means `[]`.
       * @example [
       *       "first_name"
       *     ]
       */
      required_variables?: string[] | null;
      /** @description At most five texts, of which each contact gets one; an update replaces all variants of the step. `null` means `[]`. */
      variants?: components['schemas']['Variant'][] | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 63
       */
      readonly id?: number;
      /**
       * @description The ID of the campaign.
       * @example 21
       */
      readonly campaign_id?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly updated_at?: string;
    };
    UpdateTag: {
      /**
       * @description The name, unique in the workspace. At most 255 characters.
       * @example Decision maker
       */
      name?: string;
      /**
       * @description The colour in which to show the tag, as `#rrggbb`; null if there is none. `null` means no value.
       * @example #1e90ff
       */
      color?: string | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly updated_at?: string;
    };
    UpdateTemplate: {
      /**
       * @description The name, for you. At most 255 characters.
       * @example After the spring fair
       */
      name?: string;
      /**
       * @description The subject, with variables such as `{{ first_name }}`. At most 500 characters, in one line.
       * @example Good to meet you, {{ first_name | default: "and thank you" }}
       */
      subject?: string;
      /**
       * @description The HTML, with variables: every field of a contact (`{{ first_name }}`), every custom field by its key (`{{ employees }}`), `{{ sender.name }}`, `{{ sender.email }}`, `{{ sender_address }}` and `{{ unsubscribe_url }}`. `{{ first_name | default: "there" }}` gives a text for an empty value; a variable that does not exist is empty. `{{ company | url }}` is percent-encoded, for links: `https://example.com/?q={{ company | url }}`. At most 256 KB, with at most 500 variables.
       * @example <p>Hello {{ first_name }},</p><p>thank you for your visit. How do you plan for {{ employees }} people?</p><p>{{ sender.name }}</p>
       */
      body?: string;
      /** @description What the template is for. `null` means `other`. */
      category?: components['schemas']['TemplateCategory'] | null;
      /**
       * @description Names of variables to list first, at most 500. Those in subject and body are found without them. `null` means `[]`.
       * @example [
       *       "first_name",
       *       "employees",
       *       "sender.name"
       *     ]
       */
      variables?: string[] | null;
      /**
       * @description Whether the template is in the library of the workspace. `null` means `false`.
       * @example true
       */
      is_library?: boolean | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 14
       */
      readonly id?: number;
      /**
       * @description Variables that are neither a field of contacts, nor a custom field of the workspace, nor built in. They will be empty.
       * @example []
       */
      readonly unknown_variables?: string[];
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T08:40:00.000Z
       */
      readonly updated_at?: string;
    };
    UpdateWebhook: {
      /**
       * Format: uri
       * @description Where to send events: an `https` URL of at most 255 characters, at a public host, without credentials and fragment.
       * @example https://crm.example.com/hooks/outreach
       */
      url?: string;
      /** @description The events to receive, at least one. They replace the earlier ones. */
      events?: components['schemas']['EventName'][];
      /**
       * @description Whether events are sent. After ten failed attempts in a row the service sets it to `false`; setting it to `true` resumes and sets `failure_count` to 0. `null` means `true`.
       * @example true
       */
      is_active?: boolean | null;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      readonly id?: number;
      /**
       * Format: date-time
       * @description When an event was last sent, with or without success; null if none was.
       * @example 2026-03-03T09:14:28.310Z
       */
      readonly last_triggered_at?: string | null;
      /**
       * @description How many attempts in a row have failed. A success sets it to 0. Attempts with a former `url` or secret do not count.
       * @example 0
       */
      readonly failure_count?: number;
      /**
       * Format: date-time
       * @description Until when nothing is attempted, because the last attempt has failed; null if nothing has to wait for that. A new `url`, a new secret and `is_active: true` end the pause.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the next attempt at a delivery is made: after its own pause and that of the webhook; in the past if it is its turn now. Null if nothing waits, or only what an inactive webhook does not get.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly next_attempt_at?: string | null;
      /**
       * @description How many deliveries are due or wait for their next attempt, counted up to 10,000. Those of an inactive webhook wait until it is active again, for at most 28 hours.
       * @example 0
       */
      readonly pending_count?: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      readonly updated_at?: string;
      /**
       * @description The key with which deliveries are signed. It is shown once, when it is made.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1z0n5lq3o8E=
       */
      readonly secret?: string;
    };
    UpsertContact: {
      /**
       * @description The ID of the contact in another system, at most 255 characters, compared exactly. 409 if another contact of the workspace has it. `null` means no value.
       * @example crm-20817
       */
      external_id?: string | null;
      /**
       * @description The first name; null if unknown. At most 255 characters. In templates: `{{ first_name }}`. `null` means no value.
       * @example Claire
       */
      first_name?: string | null;
      /**
       * @description The last name; null if unknown. At most 255 characters. `null` means no value.
       * @example Martin
       */
      last_name?: string | null;
      /**
       * @description The name of the company as a text; null if unknown. At most 255 characters. It is independent of `company_id`. `null` means no value.
       * @example Acme
       */
      company?: string | null;
      /**
       * @description The ID of the company that the contact is linked to; null if there is none. `null` means no value.
       * @example 12
       */
      company_id?: number | null;
      /**
       * @description The phone number, in any notation; null if unknown. At most 50 characters. `null` means no value.
       * @example +33 1 70 18 99 00
       */
      phone?: string | null;
      /**
       * @description The job title; null if unknown. At most 255 characters. `null` means no value.
       * @example Head of Operations
       */
      job_title?: string | null;
      /**
       * @description The address of the LinkedIn profile; null if unknown. At most 500 characters. `null` means no value.
       * @example https://www.linkedin.com/in/claire-martin
       */
      linkedin_url?: string | null;
      /**
       * @description The contact's time zone by its IANA name, such as `Europe/Paris`; null if unknown. `null` means no value.
       * @example Europe/Paris
       */
      timezone?: string | null;
      /** @description How far the contact is on the way to being a customer. `null` means `subscriber`. */
      lifecycle_stage?: components['schemas']['LifecycleStage'] | null;
      /** @description Whether the service may write to the contact. A contact that has opted out in another system is `unsubscribed`, `bounced` or `complained`. No input makes such a contact `active` again: that is 422, and so is another status than `complained` for one that has complained. `null` means `active`. */
      status?: components['schemas']['ContactStatus'] | null;
      /**
       * Format: date-time
       * @description When the contact has unsubscribed, as an instant or a day in UTC, not in the future. It comes with a `status` other than `active`; without it that is now. The earlier one of the stored and the sent date stays. `null` means no value.
       * @example 2026-03-17T16:45:03.211Z
       */
      unsubscribed_at?: string | null;
      /** @description Whether opens and clicks may be measured. A value that differs from the stored one sets `tracking_consent_at`, and `tracking_consent_source` to what the same request names, or null. `null` means `unknown`. */
      tracking_consent?: components['schemas']['TrackingConsent'] | null;
      /**
       * @description How the contact has agreed or refused, such as the name of a form. At most 255 characters. `null` means no value.
       * @example Form at the spring fair
       */
      tracking_consent_source?: string | null;
      /**
       * @description Values by key: at most 100 keys of 1 to 64 letters, digits, underscores and hyphens. A string has at most 5,000 characters. An update keeps the keys that it does not name; null removes a key. A new key becomes a custom field of the workspace, with the type of its first value. `null` means no value.
       * @example {
       *       "employees": 140,
       *       "renewal": "2026-09-30"
       *     }
       */
      custom_fields?: {
        [key: string]: string | number | boolean | null;
      } | null;
      /**
       * @description The IDs of the tags, at most 1,000; records as a response shows them are accepted, too. An update replaces all tags of the contact. `null` means no value.
       * @example [
       *       {
       *         "id": 3,
       *         "name": "Decision maker",
       *         "color": "#2f6f4f",
       *         "created_at": "2026-03-02T08:15:30.120Z",
       *         "updated_at": "2026-03-02T08:15:30.120Z"
       *       }
       *     ]
       */
      tags?: (number | components['schemas']['TagReference'])[] | null;
      /**
       * @description The IDs of the lists, at most 1,000; records as a response shows them are accepted, too. An update replaces all lists of the contact. `null` means no value.
       * @example [
       *       {
       *         "id": 8,
       *         "name": "Spring fair",
       *         "description": null,
       *         "created_at": "2026-03-02T08:15:30.120Z",
       *         "updated_at": "2026-03-02T08:15:30.120Z"
       *       }
       *     ]
       */
      lists?: (number | components['schemas']['ContactListReference'])[] | null;
      /**
       * Format: email
       * @description A new address, at most 254 characters. 409 if another contact of the workspace has it.
       * @example claire.martin@acme.example
       */
      email?: string;
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 4711
       */
      readonly id?: number;
      /**
       * @description The first and the last name, joined by a space; null if there is neither. Derived: it cannot be set.
       * @example Claire Martin
       */
      readonly full_name?: string | null;
      /**
       * Format: date-time
       * @description When the contact agreed or refused; null if it has not been asked.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly tracking_consent_at?: string | null;
      /**
       * Format: date-time
       * @description When the contact was created, or subscribed again.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly subscribed_at?: string | null;
      /**
       * Format: date-time
       * @description Until when no message of a campaign is sent to the contact, also if that is past; null if it is not paused.
       * @example 2026-03-03T09:14:58.310Z
       */
      readonly paused_until?: string | null;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T08:15:30.120Z
       */
      readonly created_at?: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-09T14:02:11.875Z
       */
      readonly updated_at?: string;
      /**
       * @description Only in the response to a request that has created or changed the contact: the keys that it has made custom fields of the workspace. One that you did not expect is a typo: delete the custom field.
       * @example [
       *       "employees"
       *     ]
       */
      readonly new_custom_fields?: string[];
    };
    UpsertResult: {
      /**
       * @description The position of the record in `contacts`, from 0.
       * @example 1
       */
      index: number;
      /**
       * @description The ID of the contact; null if the record failed.
       * @example 4711
       */
      id: number | null;
      /** @description What has become of the record. */
      status: components['schemas']['UpsertStatus'];
      /**
       * @description If the record failed: the path of each invalid field in the record → messages. At most 1,000 fields of all records are named, but at least one of each; `_more` says how many others there are. Otherwise null.
       * @example {
       *       "email": [
       *         "email must be an email address: the domain does not end as domains do, such as with .com"
       *       ]
       *     }
       */
      errors: {
        [key: string]: string[];
      } | null;
    };
    /**
     * @description What has become of a record of a bulk upsert.
     *
     *     - `created`: The contact is new.
     *     - `updated`: The contact existed, and has the fields of the record now.
     *     - `skipped`: The contact existed, and stays as it is.
     *     - `failed`: The record has errors, and changes nothing.
     * @enum {string}
     */
    UpsertStatus: 'created' | 'updated' | 'skipped' | 'failed';
    ValidationErrorResponse: {
      /**
       * @description The kind of error, for programs.
       * @example ValidationError
       * @constant
       */
      error: 'ValidationError';
      /**
       * @description A sentence for people. The wording may change. For people; the wording may change.
       * @example The given data was invalid.
       */
      message: string;
      /**
       * @description The path of each invalid field, as the client wrote it → messages.
       * @example {
       *       "first_nam": [
       *         "first_nam is not a known field. Did you mean first_name?"
       *       ]
       *     }
       */
      errors: {
        [key: string]: string[];
      };
      /**
       * @description The HTTP status.
       * @example 422
       * @constant
       */
      code: 422;
    };
    Variant: {
      /**
       * @description The ID of a variant of this step, as a response shows it: the variant keeps its ID and its counts. Without it, the variant with the same name is the same one. IDs of other steps are ignored. `null` means no value.
       * @example 7
       */
      id?: number | null;
      /**
       * @description The name, for you.
       * @example Question
       */
      name: string;
      /**
       * @description The share of the contacts that get it, relative to the weights of the other variants; 0 means none.
       * @example 50
       */
      weight: number;
      /**
       * @description The subject, with variables as in a template. If it is absent, that of the step. `null` means no value.
       * @example A question, {{ first_name }}
       */
      subject?: string | null;
      /**
       * @description The HTML, with variables as in a template, at most 256 KB. If it is absent, that of the step. `null` means no value.
       * @example <p>Hello {{ first_name }}</p>
       */
      body?: string | null;
    };
    VariantCounts: {
      /**
       * @description The ID of the variant.
       * @example 7
       */
      variant_id: number;
      /**
       * @description The name of the variant.
       * @example Question
       */
      name: string;
      /**
       * @description Messages that wait for their turn.
       * @example 12
       */
      queued: number;
      /**
       * @description Messages that a mail server has accepted.
       * @example 228
       */
      sent: number;
      /**
       * @description Messages that a report calls delivered. Many mail servers send no such report.
       * @example 214
       */
      delivered: number;
      /**
       * @description Messages that a person has opened.
       * @example 120
       */
      opened: number;
      /**
       * @description Messages that a person or a bot has opened, as if every request counted.
       * @example 131
       */
      opened_raw: number;
      /**
       * @description Messages with a link that a person has clicked.
       * @example 33
       */
      clicked: number;
      /**
       * @description Messages with a link that a person or a bot has followed, as if every request counted.
       * @example 47
       */
      clicked_raw: number;
      /**
       * @description Messages with a reply.
       * @example 19
       */
      replied: number;
      /**
       * @description Messages that were refused for good or reported as undeliverable.
       * @example 4
       */
      bounced: number;
      /**
       * @description Messages that the recipient has marked as spam.
       * @example 0
       */
      complained: number;
      /**
       * @description Messages through which the recipient has unsubscribed.
       * @example 2
       */
      unsubscribed: number;
      /**
       * @description Messages that were not sent, because all attempts have failed.
       * @example 0
       */
      failed: number;
      /**
       * @description Messages of which nobody knows whether a mail server has accepted them.
       * @example 0
       */
      unknown: number;
      /**
       * @description The share of `opened` in `sent`, from 0 to 1.
       * @example 0.5263
       */
      open_rate: number;
      /**
       * @description The share of `clicked` in `sent`, from 0 to 1.
       * @example 0.1447
       */
      click_rate: number;
      /**
       * @description The share of `replied` in `sent`, from 0 to 1.
       * @example 0.0833
       */
      reply_rate: number;
      /**
       * @description The share of `bounced` in `sent`, from 0 to 1.
       * @example 0.0175
       */
      bounce_rate: number;
    };
    /**
     * @description Why a message is not sent sooner: the `reason` of a waiting message, and `waiting_for` of its enrollment.
     *
     *     - `draft`: The campaign has not been started yet.
     *     - `no_step`: The campaign has no step. Add one, and start the campaign.
     *     - `paused`: The campaign is paused.
     *     - `result_unknown`: The result of its message is `unknown`: retry the message, or move the contact to another step.
     *     - `checking_sent_mail`: The connection was lost, and the sent mail of the account shows whether it was sent.
     *     - `temporary_failure`: The last attempt to send it has failed, and is repeated.
     *     - `missing_variable`: A required variable is empty.
     *     - `contact_paused`: The contact is paused.
     *     - `out_of_office`: The contact is away.
     *     - `min_days_since_last_message`: The last message to the contact is too recent.
     *     - `outside_schedule`: The schedule of the campaign is closed.
     *     - `max_new_contacts`: The campaign has written to as many new contacts as it may on this day.
     *     - `account_inactive`: The email account is switched off, or the campaign has none.
     *     - `provider_limit`: The email account has reached a limit of its provider.
     *     - `daily_limit`: The email account has reached its own limit of the day.
     *     - `min_seconds_between`: The last message of the email account is too recent, or others are before it.
     * @enum {string}
     */
    WaitReason:
      | 'draft'
      | 'no_step'
      | 'paused'
      | 'result_unknown'
      | 'checking_sent_mail'
      | 'temporary_failure'
      | 'missing_variable'
      | 'contact_paused'
      | 'out_of_office'
      | 'min_days_since_last_message'
      | 'outside_schedule'
      | 'max_new_contacts'
      | 'account_inactive'
      | 'provider_limit'
      | 'daily_limit'
      | 'min_seconds_between';
    Webhook: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      id: number;
      /**
       * @description The address that events are sent to: `https`, at a public host. At most 255 characters.
       * @example https://crm.example.com/hooks/outreach
       */
      url: string;
      /** @description The events that it receives. */
      events: components['schemas']['EventName'][];
      /**
       * @description Whether events are sent. After ten failed attempts in a row the service sets it to `false`; setting it to `true` resumes and sets `failure_count` to 0.
       * @example true
       */
      is_active: boolean;
      /**
       * Format: date-time
       * @description When an event was last sent, with or without success; null if none was.
       * @example 2026-03-03T09:14:28.310Z
       */
      last_triggered_at: string | null;
      /**
       * @description How many attempts in a row have failed. A success sets it to 0. Attempts with a former `url` or secret do not count.
       * @example 0
       */
      failure_count: number;
      /**
       * Format: date-time
       * @description Until when nothing is attempted, because the last attempt has failed; null if nothing has to wait for that. A new `url`, a new secret and `is_active: true` end the pause.
       * @example 2026-03-03T09:14:58.310Z
       */
      paused_until: string | null;
      /**
       * Format: date-time
       * @description When the next attempt at a delivery is made: after its own pause and that of the webhook; in the past if it is its turn now. Null if nothing waits, or only what an inactive webhook does not get.
       * @example 2026-03-03T09:14:58.310Z
       */
      next_attempt_at: string | null;
      /**
       * @description How many deliveries are due or wait for their next attempt, counted up to 10,000. Those of an inactive webhook wait until it is active again, for at most 28 hours.
       * @example 0
       */
      pending_count: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      updated_at: string;
    };
    WebhookDisabledEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'webhook.disabled';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['Webhook'];
    };
    WebhookLog: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 812
       */
      id: number;
      /**
       * @description The name of the event.
       * @example email.sent
       */
      event: string;
      /**
       * @description The body that was sent. A very long one is shown without its `data`, with `truncated`.
       * @example {
       *       "event": "email.sent",
       *       "workspace_id": 1,
       *       "data": {
       *         "message_id": "AAEAAhVb3kq0.fX2m9Zs@acme-events.example",
       *         "campaign_id": 21,
       *         "step_id": 63,
       *         "variant_id": null,
       *         "enrollment_id": 10482,
       *         "contact_id": 4711,
       *         "email": "claire.martin@acme.example",
       *         "email_account_id": 5,
       *         "subject": "Good to meet you, Claire",
       *         "occurred_at": "2026-03-03T09:14:27.052Z"
       *       }
       *     }
       */
      payload: {
        [key: string]: unknown;
      };
      /**
       * @description The HTTP status of the receiver; 0 if it was not reached.
       * @example 200
       */
      status_code: number;
      /**
       * @description The first 2,000 characters of the response, or the reason why there is none.
       * @example ok
       */
      response: string;
      /**
       * @description Whether the receiver responded with a 2xx status.
       * @example true
       */
      success: boolean;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-03T09:14:28.310Z
       */
      created_at: string;
      /**
       * Format: uuid
       * @description The header `X-Service-Delivery`, the same for all attempts of one delivery.
       * @example 6f1d2c0e-5f0a-4b0e-9f5a-2f1c7a3f7d11
       */
      delivery_id: string;
      /**
       * @description The number of the attempt, from 1.
       * @example 1
       */
      attempt: number;
    };
    WebhookLogCursorPage: {
      /** @description The records of this page. */
      data: components['schemas']['WebhookLog'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['CursorPageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['CursorPageMeta'];
    };
    WebhookPage: {
      /** @description The records of this page. */
      data: components['schemas']['Webhook'][];
      /** @description The URLs of other pages. */
      links: components['schemas']['PageLinks'];
      /** @description The numbers of this page. */
      meta: components['schemas']['PageMeta'];
    };
    WebhookSecret: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      id: number;
      /**
       * @description The new key with which deliveries are signed. This is the only response that shows it. The old one is not used any more.
       * @example whsec_C2FVsBQIhrscChlQIMV0b5sSYspob7oD4Zl8dGm2p9U=
       */
      secret: string;
    };
    WebhookTest: {
      /**
       * @description A sentence for people. The wording may change.
       * @example This is a test of your webhook.
       */
      message: string;
      /**
       * Format: date-time
       * @description When the test was requested.
       * @example 2026-03-02T08:20:00.000+00:00
       */
      timestamp: string;
    };
    WebhookTestEvent: {
      /**
       * @description The name of the event.
       * @constant
       */
      event: 'webhook.test';
      /**
       * @description The workspace in which it happened.
       * @example 1
       */
      workspace_id: number;
      /** @description The record of the event. */
      data: components['schemas']['WebhookTest'];
    };
    WebhookTestResult: {
      /**
       * @description Whether the receiver responded with a 2xx status.
       * @example true
       */
      success: boolean;
      /**
       * @description The result in a sentence.
       * @example The receiver responded with 200.
       */
      message: string;
      /**
       * @description The HTTP status of the receiver; 0 if it was not reached.
       * @example 200
       */
      status_code: number;
    };
    WebhookWithSecret: {
      /**
       * @description The ID of the record. It never changes and is never used again.
       * @example 3
       */
      id: number;
      /**
       * @description The address that events are sent to: `https`, at a public host. At most 255 characters.
       * @example https://crm.example.com/hooks/outreach
       */
      url: string;
      /** @description The events that it receives. */
      events: components['schemas']['EventName'][];
      /**
       * @description Whether events are sent. After ten failed attempts in a row the service sets it to `false`; setting it to `true` resumes and sets `failure_count` to 0.
       * @example true
       */
      is_active: boolean;
      /**
       * Format: date-time
       * @description When an event was last sent, with or without success; null if none was.
       * @example 2026-03-03T09:14:28.310Z
       */
      last_triggered_at: string | null;
      /**
       * @description How many attempts in a row have failed. A success sets it to 0. Attempts with a former `url` or secret do not count.
       * @example 0
       */
      failure_count: number;
      /**
       * Format: date-time
       * @description Until when nothing is attempted, because the last attempt has failed; null if nothing has to wait for that. A new `url`, a new secret and `is_active: true` end the pause.
       * @example 2026-03-03T09:14:58.310Z
       */
      paused_until: string | null;
      /**
       * Format: date-time
       * @description When the next attempt at a delivery is made: after its own pause and that of the webhook; in the past if it is its turn now. Null if nothing waits, or only what an inactive webhook does not get.
       * @example 2026-03-03T09:14:58.310Z
       */
      next_attempt_at: string | null;
      /**
       * @description How many deliveries are due or wait for their next attempt, counted up to 10,000. Those of an inactive webhook wait until it is active again, for at most 28 hours.
       * @example 0
       */
      pending_count: number;
      /**
       * Format: date-time
       * @description When the record was created.
       * @example 2026-03-02T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the record was last changed.
       * @example 2026-03-02T09:00:00.000Z
       */
      updated_at: string;
      /**
       * @description The key with which deliveries are signed. This is the only response that shows it.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1z0n5lq3o8E=
       */
      secret: string;
    };
    Workspace: {
      /**
       * @description The ID of the workspace.
       * @example 1
       */
      id: number;
      /**
       * @description The name of the workspace.
       * @example Acme Events
       */
      name: string;
      /**
       * @description Whether it is a sandbox: for trials, with a simulated mail server and a clock of its own. No mail leaves it.
       * @example false
       */
      is_sandbox: boolean;
    };
    WorkspaceLimits: {
      /**
       * @description The largest number of tokens.
       * @example 50
       */
      tokens: number;
      /**
       * @description The largest number of webhooks.
       * @example 50
       */
      webhooks: number;
      /**
       * @description The largest number of email accounts.
       * @example 1000
       */
      email_accounts: number;
      /**
       * @description The largest number of campaigns.
       * @example 10000
       */
      campaigns: number;
      /**
       * @description The largest number of steps in a campaign.
       * @example 100
       */
      steps_per_campaign: number;
      /**
       * @description The largest number of templates.
       * @example 5000
       */
      templates: number;
      /**
       * @description The largest number of segments.
       * @example 1000
       */
      segments: number;
      /**
       * @description The largest number of lists.
       * @example 100000
       */
      lists: number;
      /**
       * @description The largest number of tags.
       * @example 100000
       */
      tags: number;
      /**
       * @description The largest number of companies.
       * @example 100000
       */
      companies: number;
      /**
       * @description The largest number of contacts.
       * @example 5000000
       */
      contacts: number;
      /**
       * @description How many addresses can be blacklisted by requests in a day (UTC).
       * @example 10000
       */
      blacklist_entries_per_day: number;
    };
    WorkspaceSettings: {
      /**
       * @description The postal address of the sender, which many countries require in advertising. At most 500 characters, also in several lines. In templates: `{{ sender_address }}`.
       * @example Acme Events, 12 rue de la Foire, 69002 Lyon, France
       */
      postal_address: string | null;
      /**
       * @description The template variable `brand.name`; by default the name of the sender.
       * @example Acme Events
       */
      brand_name: string | null;
      /**
       * @description The template variable `brand.color`, from which the other colors of the brand are derived.
       * @example #1a56c4
       */
      brand_color: string | null;
      /**
       * @description The image of the template variable `brand.logo`. Messages show it 40 pixels high.
       * @example https://acme-events.example/logo.png
       */
      logo_url: string | null;
      /**
       * @description The host name with which links in messages begin while it is verified; null for that of the service.
       * @example links.acme-events.example
       */
      tracking_domain: string | null;
      /**
       * @description The name of the TXT record with which the owner of `tracking_domain` gives it to this workspace; null if there is no domain.
       * @example _outreach-challenge.links.acme-events.example
       */
      tracking_domain_txt_name: string | null;
      /**
       * @description The value of that record, which is the same for all domains of the workspace.
       * @example outreach-verification=1f0c9b52-6d0e-4a0b-9c1e-3b8f5d2a7e64
       */
      tracking_domain_txt_value: string;
      /**
       * Format: date-time
       * @description Since when `tracking_domain` has led to the service and has had the TXT record of this workspace; null if it does not, or while another workspace uses it. It is looked up when it is set, and every hour.
       * @example 2026-03-17T16:45:03.211Z
       */
      tracking_domain_verified_at: string | null;
      /**
       * @description Whether opens and clicks of a contact are measured only if its `tracking_consent` is `granted`. With `auto` that holds for contacts whose `timezone` or country lies in the EU, the EEA, Switzerland or the United Kingdom. The country is that of the custom field `country` or `country_code`: a code (ISO 3166-1) or a name.
       * @example false
       * @enum {boolean|string}
       */
      tracking_consent_required: true | false | 'auto';
      /**
       * @description Whether new campaigns measure opens, if they do not say.
       * @example true
       */
      track_opens: boolean;
      /**
       * @description Whether new campaigns measure clicks, if they do not say.
       * @example true
       */
      track_clicks: boolean;
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

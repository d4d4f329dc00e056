import type { ApiClient } from './api-client.js';
import type { Schema } from './api-schemas.js';
import type { MailSink } from './mail-sink.js';
import type { TestDatabase } from './test-database.js';

/** What `POST` to the collections of labels and groups returns. */
export interface Groups {
  '/lists': Schema<'ContactList'>;
  '/tags': Schema<'Tag'>;
  '/companies': Schema<'Company'>;
  '/custom-fields': Schema<'CustomField'>;
}

let numbered = 0;

/** Creates the records that a test needs. A test passes only the fields that matter to it. */
export class Given {
  constructor(
    private readonly api: ApiClient,
    private readonly database: TestDatabase,
  ) {}

  async contact(fields: object = {}): Promise<Schema<'Contact'>> {
    numbered += 1;
    const { body, status } = await this.api.post('/contacts', { email: `person${numbered}@example.com`, ...fields });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  }

  /** Inserts many contacts by SQL, with the addresses `{prefix}1@example.com` and so on. @returns their IDs */
  async contacts(count: number, prefix = 'c'): Promise<number[]> {
    const rows = await this.database.query<{ id: string }>(
      `INSERT INTO contacts (workspace_id, email, first_name)
       SELECT $1, $3 || n || '@example.com', 'Name' || n FROM generate_series(1, $2::int) n RETURNING id`,
      [this.api.workspaceId, count, prefix],
    );
    return rows.map(({ id }) => Number(id));
  }

  /** A segment whose contacts meet all conditions, unless `fields` say otherwise. */
  async segment(conditions: readonly object[], fields: object = {}): Promise<Schema<'Segment'>> {
    return this.created('/segments', { name: 'Segment', match_type: 'all', conditions, ...fields });
  }

  /** A list, tag, company or custom field. */
  async group<Path extends keyof Groups>(path: Path, fields: object = {}): Promise<Groups[Path]> {
    numbered += 1;
    const name = path === '/custom-fields' ? {} : { name: `Group ${numbered}` };
    return this.created(path, { ...name, ...fields });
  }

  async mailbox(sink: MailSink, fields: object = {}): Promise<Schema<'EmailAccount'>> {
    return this.created('/email-accounts', {
      name: 'Mailbox',
      type: 'smtp',
      from_email: 'sales@sender.example',
      from_name: 'Sales',
      daily_limit: 10_000,
      ...sink.account,
      ...fields,
    });
  }

  async campaign(fields: object = {}): Promise<Schema<'Campaign'>> {
    return this.created('/campaigns', {
      name: 'Campaign',
      steps: [{ subject: 'Hello {{ first_name }}', body: '<p>Hello {{ first_name }}</p>' }],
      ...fields,
    });
  }

  /** A started campaign with enrolled contacts. */
  async running(contactIds: readonly number[], fields: object = {}): Promise<Schema<'Campaign'>> {
    const campaign = await this.campaign(fields);
    await this.created(`/campaigns/${campaign.id}/contacts`, { contact_ids: contactIds });
    const { status, body } = await this.api.post(`/campaigns/${campaign.id}/start`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return campaign;
  }

  /** A message of a new campaign that was sent to a contact, with the rows that the sending engine writes. */
  async sentMessage(
    contactId: number,
    campaignFields: object = {},
  ): Promise<{ id: number; campaign: Schema<'Campaign'> }> {
    const campaign = await this.campaign(campaignFields);
    const [message] = await this.database.query<{ id: string }>(
      `WITH enrollment AS (
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id, status, current_step_id)
         SELECT workspace_id, campaign_id, $2, 'in_progress', id FROM campaign_steps
         WHERE workspace_id = $1 AND campaign_id = $3 RETURNING *)
       INSERT INTO messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id, status, sent_at)
       SELECT workspace_id, campaign_id, id, contact_id, current_step_id, 'sent', created_at FROM enrollment RETURNING id`,
      [this.api.workspaceId, contactId, campaign.id],
    );
    return { id: Number(message?.id), campaign };
  }

  /**
   * Moves a message of {@link sentMessage} back to the queue, as if its result had not been recorded.
   * @param leasedBy the worker that has claimed it: its lease has expired
   */
  async unrecorded(messageId: number, status: 'queued' | 'sending' = 'sending', leasedBy?: string): Promise<void> {
    await this.database.query(
      `WITH moved AS (DELETE FROM messages WHERE id = $1 RETURNING *), claimed AS (
         INSERT INTO message_claims (workspace_id, claimed_by, message_ids)
         SELECT workspace_id, $3::uuid, ARRAY[id] FROM moved WHERE $3::uuid IS NOT NULL)
       INSERT INTO queued_messages (workspace_id, id, campaign_id, enrollment_id, contact_id, step_id, email_account_id,
         subject, message_id, status, attempts, leased_by, lease_until)
       SELECT workspace_id, id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, subject, message_id, $2, 1,
         $3::uuid, CASE WHEN $3::uuid IS NOT NULL THEN now() - interval '1 second' END FROM moved`,
      [messageId, status, leasedBy ?? null],
    );
  }

  private async created<T>(path: string, fields: object): Promise<T> {
    const { body, status, data } = await this.api.post(path, fields);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return data;
  }
}

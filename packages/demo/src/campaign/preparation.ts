import { openAsBlob } from 'node:fs';
import type { JsonResponse } from '../api/json-response.js';
import type { ApiClient } from '../api/api-client.js';
import { CONTENT, MAPPING } from './content.js';
import { EXPECTED_RECIPIENTS, isBouncing } from './expected-values.js';
import { MailCatcher } from '../mail/mail-catcher.js';
import type { Terminal } from '../terminal.js';

const FILE_NAME = 'contacts.csv';

/** A campaign that is ready to start, and the records that it uses. */
export interface Prepared {
  readonly imported: JsonResponse;
  readonly enrolled: JsonResponse;
  readonly campaign_id: number;
  readonly account_id: number;
  readonly list_id: number;
  readonly tag_id: number;
  /** The addresses of contacts who will unsubscribe. */
  readonly unsubscribing: readonly string[];
  /** The addresses of contacts who must receive nothing. */
  readonly blacklisted: readonly string[];
}

/**
 * Creates contacts, templates, an email account and a campaign, as a new user would.
 * @param contacts the file to import
 * @throws DemoFailed
 */
export async function prepare(api: ApiClient, contacts: URL, mailHost: string, terminal: Terminal): Promise<Prepared> {
  await api.post('/custom-fields', CONTENT.field);
  const list = await created(api, '/lists', CONTENT.list);
  const tag = await created(api, '/tags', CONTENT.tag);
  terminal.line(`List "${CONTENT.list.name}", tag "${CONTENT.tag.name}", custom field "${CONTENT.field.key}"`);
  const imported = await importContacts(api, contacts, list, tag);
  terminal.line(
    `Imported examples/${FILE_NAME}: ${imported.number('data.imported')} of ${imported.number('data.total')} rows`,
  );
  const accountId = await connectMailbox(api, mailHost);
  terminal.line(`Email account ${CONTENT.sender.from_email}, connection tested`);
  const campaignId = await createCampaign(api, accountId);
  const enrolled = await api.post(`/campaigns/${campaignId}/contacts/enroll-from-lists`, { list_ids: [list] });
  terminal.line(`Campaign of two steps from two templates, ${enrolled.number('data.enrolled')} contacts enrolled`);
  const { unsubscribing, blacklisted } = await chooseRecipients(api);
  await api.post('/blacklist/bulk-create', { emails: blacklisted, reason: 'manual' });
  terminal.line(`Blacklisted ${blacklisted.length} of them, ${unsubscribing.length} others will unsubscribe`);
  return {
    imported,
    enrolled,
    campaign_id: campaignId,
    account_id: accountId,
    list_id: list,
    tag_id: tag,
    unsubscribing,
    blacklisted,
  };
}

/** Creates a record. @returns its ID */
export const created = async (api: ApiClient, path: string, fields: object): Promise<number> =>
  (await api.post(path, fields)).number('data.id');

async function importContacts(api: ApiClient, file: URL, list: number, tag: number): Promise<JsonResponse> {
  const form = new FormData();
  form.append('file', await openAsBlob(file, { type: 'text/csv' }), FILE_NAME);
  for (const [field, column] of Object.entries(MAPPING)) form.append(`mapping[${field}]`, column);
  form.append('lists[]', String(list));
  form.append('tags[]', String(tag));
  return api.post('/contacts/import', form);
}

async function connectMailbox(api: ApiClient, host: string): Promise<number> {
  const id = await created(api, '/email-accounts', {
    name: 'Demo mailbox',
    type: 'smtp',
    daily_limit: 10_000,
    ...CONTENT.sender,
    ...MailCatcher.account(host),
  });
  await api.post(`/email-accounts/${id}/test`);
  return id;
}

/**
 * Creates the templates and a campaign of their steps.
 * @param delay how many minutes after the first step the second one follows
 * @returns its ID
 */
export async function createCampaign(api: ApiClient, accountId: number, delay = 0): Promise<number> {
  const steps: object[] = [];
  for (const template of CONTENT.templates) {
    const templateId = await created(api, '/templates', template);
    const isReply = steps.length > 0;
    steps.push({ template_id: templateId, delay_minutes: isReply ? delay : 0, same_thread: isReply });
  }
  return created(api, '/campaigns', { name: 'Autumn introduction', email_account_ids: [accountId], steps });
}

/**
 * Chooses who unsubscribes and who is blacklisted: the first deliverable addresses in alphabetical order, the same in
 * every run.
 */
async function chooseRecipients(api: ApiClient): Promise<{ unsubscribing: string[]; blacklisted: string[] }> {
  const page = await api.get('/contacts?sort=email&direction=asc&per_page=100');
  const deliverable = page
    .list('data')
    .map((contact) => contact.text('email'))
    .filter((address) => !isBouncing(address));
  const unsubscribing = deliverable.slice(0, EXPECTED_RECIPIENTS.unsubscribing);
  return {
    unsubscribing,
    blacklisted: deliverable.slice(
      EXPECTED_RECIPIENTS.unsubscribing,
      EXPECTED_RECIPIENTS.unsubscribing + EXPECTED_RECIPIENTS.blacklisted,
    ),
  };
}

import { type ApiClient, type ApiResponse, parseResponse } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { OpenidProvider } from '../support/openid-provider.js';
import { operationOf, operations, requestExample, schemaErrors } from '../support/reference.js';
import { Mailroom } from '../support/replies.js';
import { useService } from '../support/service.js';

/** The IDs that the examples have, by table. */
const IDS = {
  companies: 12,
  tags: 3,
  lists: 8,
  custom_fields: 2,
  contacts: 4711,
  segments: 9,
  templates: 14,
  email_accounts: 5,
  campaigns: 21,
  campaign_steps: 63,
  enrollments: 10482,
  webhooks: 3,
  blacklist_entries: 31,
};

/** Fields that differ each time, and counts of rows that other examples have created. */
const VOLATILE =
  /(_at|_on|_count|_txt_value|^id|^(secret|token|key|message_id|updated|total|imported|skipped|failed|errors))$/;

/** Removes what differs each time. */
const stable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.test(name))
      .map(([name, item]) => [name, stable(item)]),
  );
};

const form = ({ file, mapping, ...fields }: any): FormData => {
  const body = new FormData();
  body.set('file', new Blob([file as string]), 'contacts.csv');
  for (const [field, column] of Object.entries<string>(mapping)) body.set(`mapping[${field}]`, column);
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  return body;
};

describe('the requests that the API reference shows', () => {
  const providers: OpenidProvider[] = [];
  const service = useService(async () => {
    providers.push(await OpenidProvider.start('google'), await OpenidProvider.start('microsoft'));
    const settings = providers.map((provider) => provider.settings);
    return Object.assign({ OAUTH_REDIRECT_ORIGINS: 'http://localhost:3000' }, ...settings) as Record<string, string>;
  });
  const sent = new Set<string>();
  let api: ApiClient;
  afterAll(() => Promise.all(providers.map((provider) => provider.stop())));
  beforeAll(async () => {
    api = await service.client();
    for (const [table, id] of Object.entries(IDS)) {
      await service.database.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, id - 1]);
    }
  });

  /** Sends the example of an operation, and compares the response with the schema and the example of the reference. */
  const send = async (
    id: string,
    ids: Readonly<Record<string, number | string>> = {},
    client = api,
  ): Promise<ApiResponse> => {
    sent.add(id);
    const { method, path, requestBody, responses } = operationOf(id);
    const url = path.replace('/v1', '').replaceAll(/\{(\w+)\}/g, (_: string, name: string) => String(ids[name]));
    const example = requestBody && requestExample(id);
    const body = id === 'importContacts' ? form(example) : example;
    const response = await client.call(method, url, body);
    const [status, expected] = Object.entries<any>(responses)[0] ?? [];
    expect([id, response.status, response.body]).toEqual([id, Number(status), expect.anything()]);
    const content = expected.content?.['application/json'];
    if (content) expect([id, schemaErrors(content.schema, response.body)]).toEqual([id, undefined]);
    return response;
  };

  /** Also compares the values, except those that differ each time. */
  const sendExactly = async (id: string, ids: Readonly<Record<string, number>> = {}): Promise<void> => {
    const { body } = await send(id, ids);
    const [expected] = Object.values<any>(operationOf(id).responses);
    expect([id, stable(body)]).toEqual([id, stable(expected.content['application/json'].example)]);
  };

  it('create the records of the examples, with their IDs, one after the other', async () => {
    await sendExactly('createCompany');
    await sendExactly('createTag');
    await sendExactly('createList');
    await sendExactly('createCustomField');
    const { body: contact } = await send('createContact');
    expect(contact).toMatchObject({
      ...requestExample('createContact'),
      id: IDS.contacts,
      tags: [{ id: 3 }],
      lists: [{ id: 8 }],
    });
    await sendExactly('createSegment');
    await sendExactly('createTemplate');
    await sendExactly('createEmailAccount');
    const { data: campaign } = await send('createCampaign');
    expect(campaign).toMatchObject({ id: IDS.campaigns, status: 'draft', email_account_ids: [5], steps_count: 2 });
    await send('createCampaignStep', { id: 21 });
    await sendExactly('enrollContacts', { id: 21 });
    await sendExactly('createWebhook');
    await sendExactly('createBlacklistEntry');
    await sendExactly('createBlacklistEntries');
    await sendExactly('createToken');
  });

  it('read, change and use these records', async () => {
    await sendExactly('previewTemplate', { id: 14 });
    await sendExactly('listTemplateVariables', { id: 14 });
    await send('duplicateTemplate', { id: 14 });
    await send('previewSegment', { id: 9 });
    await send('listCampaignSteps', { id: 21 });
    await send('getEnrollment', { id: 21, contact: 4711 });
    await send('importContacts');
    await send('enrollContactsFromLists', { id: 21 });
    await sendExactly('checkBlacklist');
    await sendExactly('deleteBlacklistEntries');
    await sendExactly('updateSettings');
    await send('getMe');
    const updates = {
      Company: 12,
      Tag: 3,
      List: 8,
      CustomField: 2,
      Contact: 4711,
      Segment: 9,
      Template: 14,
      Campaign: 21,
    };
    for (const [name, id] of Object.entries(updates)) {
      const { data } = await send(`update${name}`, { id });
      expect([name, data.id]).toEqual([name, id]);
    }
    await send('updateEmailAccount', { id: 5 });
    await send('updateCampaignStep', { id: 21, step: 63 });
    await send('updateWebhook', { id: 3 });
    await send('skipEnrollmentStep', { id: 21, contact: 4711 });
    await send('startCampaign', { id: 21 });
    await send('getCampaignStats', { id: 21 });
    await send('listCampaignMessages', { id: 21 });
    await send('retryCampaignMessages', { id: 21 });
    await send('pauseCampaign', { id: 21 });
    await sendExactly('removeContactsFromList', { id: 8 });
    await sendExactly('addContactsToList', { id: 8 });
    await sendExactly('untagContacts', { id: 3 });
    await sendExactly('tagContacts', { id: 3 });
  });

  it('update records that have another key, and by PATCH', async () => {
    const updates = { Company: 12, Tag: 3, List: 8, CustomField: 2, Segment: 9, Template: 14, Contact: 4711 };
    for (const [name, id] of Object.entries({ ...updates, Campaign: 21, EmailAccount: 5, Webhook: 3 })) {
      const { data } = await send(`patch${name}`, { id });
      expect([name, data.id]).toEqual([name, id]);
    }
    await send('patchCampaignStep', { id: 21, step: 63 });
    await send('patchSettings');
    await send('upsertContacts');
    for (const verb of ['upsert', 'patch']) {
      const { data } = await send(`${verb}ContactByEmail`, { email: 'claire.martin@acme.example' });
      expect(data.id).toBe(IDS.contacts);
      await send(`${verb}ContactByExternalId`, { external_id: 'crm-20817' });
    }
  });

  it('use the campaign, its replies, webhooks, accounts, the marketplace and a sandbox', async () => {
    await send('sendTestMessage', { id: 21, step: 63 });
    await send('moveEnrollment', { id: 21, contact: 4711 });
    await send('startGoogleConnection');
    await send('startMicrosoftConnection');
    await send('redeliverWebhookLogs', { id: 3 });
    const [template] = (await api.get('/marketplace/templates')).data;
    await send('copyMarketplaceTemplate', { id: template.id });
    const mailroom = new Mailroom(service, api, new Given(api, service.database));
    const message = await mailroom.sent({ account: 5 });
    const reply = await mailroom.replied({ to: message.message_id, from: message.contact.email });
    for (const id of ['updateReply', 'patchReply', 'answerReply']) await send(id, { id: reply.id });
    await send('advanceSandboxClock', {}, await service.sandbox());
  });

  it('report what has become of messages', async () => {
    const { key } = (await api.get('/inbound')).data;
    const report = async (id: string, body: string | FormData, type?: string): Promise<void> => {
      sent.add(id);
      const url = service.url + operationOf(id).path.replace('{key}', key);
      const headers = new Headers(type ? { 'content-type': type } : {});
      const { status, body: result } = await parseResponse(await fetch(url, { method: 'POST', headers, body }));
      expect([id, status, result]).toEqual([id, 200, { data: { matched: 0 } }]);
    };
    await report('receiveMailReport', requestExample('receiveMailReport'), 'message/rfc822');
    const parsed = new FormData();
    for (const [name, value] of Object.entries<string>(requestExample('receiveParsedMail'))) parsed.set(name, value);
    await report('receiveParsedMail', parsed);
  });

  it('pause a contact until a time after that of the story', async () => {
    service.clocks.stop(api.workspaceId, new Date('2026-04-20T07:00:00Z'));
    await send('pauseContact', { id: 4711 });
  });

  it('are all of those with a body, except what SendGrid has to sign', () => {
    const withBody = operations.filter(({ requestBody }) => requestBody).map(({ operationId }) => operationId);
    expect(withBody.filter((id) => !sent.has(id))).toEqual(['receiveSendGridEvents']);
  });
});

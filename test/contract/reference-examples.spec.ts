import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { operationOf, requestExample, schemaErrors } from '../support/reference.js';
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
const VOLATILE = /(_at|_on|_count|^id|^(secret|token|key|message_id|updated|total|imported|skipped|failed|errors))$/;

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
  const service = useService();
  let api: ApiClient;
  beforeAll(async () => {
    api = await service.client();
    for (const [table, id] of Object.entries(IDS)) {
      await service.database.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, id - 1]);
    }
  });

  /** Sends the example of an operation, and compares the response with the schema and the example of the reference. */
  const send = async (id: string, ids: Readonly<Record<string, number>> = {}): Promise<ApiResponse> => {
    const { method, path, requestBody, responses } = operationOf(id);
    const url = path.replace('/v1', '').replaceAll(/\{(\w+)\}/g, (_: string, name: string) => String(ids[name]));
    const example = requestBody && requestExample(id);
    const body = id === 'importContacts' ? form(example) : example;
    const response = await api.call(method, url, body);
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
});

import { FinishedCampaigns } from '../../src/campaigns/campaign/finished-campaigns.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const LATER = [{ subject: 'Later', body: '<p>Later</p>', delay_minutes: 10_000 }];

describe('auto_enroll of a campaign', () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const campaignWith = (autoEnroll: object | null, fields: object = {}): Promise<Schema<'Campaign'>> =>
    given.campaign({ steps: LATER, auto_enroll: autoEnroll, ...fields });
  const start = async ({ id }: { id: number }) => {
    const { status, body } = await api.post(`/campaigns/${id}/start`);
    expect([status, body]).toEqual([200, expect.anything()]);
  };
  const started = async (autoEnroll: object | null, fields: object = {}): Promise<Schema<'Campaign'>> => {
    const campaign = await campaignWith(autoEnroll, fields);
    await start(campaign);
    return campaign;
  };
  const get = async ({ id }: { id: number }): Promise<Schema<'Campaign'>> => (await api.get(`/campaigns/${id}`)).data;
  const enrolled = async ({ id }: { id: number }): Promise<number[]> => {
    const { data } = await api.get(`/campaigns/${id}/contacts?per_page=100`);
    return data.map((each: Schema<'Enrollment'>) => each.contact_id).sort((one: number, other: number) => one - other);
  };
  const enrolls = (campaign: { id: number }, ids: readonly number[]) =>
    eventually(async () => expect(await enrolled(campaign)).toEqual([...ids].sort((one, other) => one - other)));
  /** Whatever the workers have to examine is examined. */
  const settled = () =>
    eventually(async () => {
      const [left] = await service.database.query<{ left: number }>(
        `SELECT (SELECT count(*) FROM changed_contacts WHERE workspace_id = $1)::int
           + (SELECT count(*) FROM auto_enroll_passes WHERE workspace_id = $1)::int AS left`,
        [api.workspaceId],
      );
      expect(left?.left).toBe(0);
    });
  const listWith = async (...contacts: readonly number[]) => {
    const list = await given.group('/lists');
    if (contacts.length > 0) await api.post(`/lists/${list.id}/contacts`, { contact_ids: contacts });
    return list;
  };
  const join = async (list: { id: number }, ...contacts: readonly number[]) =>
    expect((await api.post(`/lists/${list.id}/contacts`, { contact_ids: contacts })).status).toBe(200);

  describe('the field', () => {
    it('is null by default, is shown as it was set, and null clears it', async () => {
      expect((await given.campaign()).auto_enroll).toBeNull();
      const [list, other] = [await listWith(), await listWith()];
      const segment = await given.segment([{ field: 'status', operator: 'equals', value: 'active' }]);
      const input = { list_ids: [other.id, list.id], segment_ids: [segment.id] };
      const campaign = await campaignWith(input);
      expect([campaign.auto_enroll, (await get(campaign)).auto_enroll]).toEqual([input, input]);
      const put = async (autoEnroll: object | null) =>
        (await api.put(`/campaigns/${campaign.id}`, { auto_enroll: autoEnroll })).data.auto_enroll;
      expect(await put({ list_ids: [list.id, list.id] })).toEqual({ list_ids: [list.id], segment_ids: [] });
      expect((await api.put(`/campaigns/${campaign.id}`, { name: 'Other' })).data.auto_enroll).toEqual({
        list_ids: [list.id],
        segment_ids: [],
      });
      expect(await put(null)).toBeNull();
      expect((await api.get('/campaigns')).data[0].auto_enroll).toBeNull();
    });

    it('names each part that is wrong', async () => {
      const errors = async (autoEnroll: unknown) => {
        const { status, body } = await api.post('/campaigns', { name: 'Campaign', auto_enroll: autoEnroll });
        return [status, Object.keys(body.errors ?? {})];
      };
      const list = await listWith();
      const foreign = await new Given(await service.client(), service.database).group('/lists');
      expect(await errors({ list_ids: [list.id, foreign.id] })).toEqual([422, ['auto_enroll.list_ids.1']]);
      expect(await errors({ list_ids: [999_999_999] })).toEqual([422, ['auto_enroll.list_ids.0']]);
      expect(await errors({ segment_ids: [list.id + 999_999] })).toEqual([422, ['auto_enroll.segment_ids.0']]);
      expect(await errors({ list_ids: ['x'] })).toEqual([422, ['auto_enroll.list_ids.0']]);
      expect(await errors({ list_ids: 5 })).toEqual([422, ['auto_enroll.list_ids']]);
      expect(await errors({})).toEqual([422, ['auto_enroll.list_ids']]);
      expect(await errors({ list_ids: [], segment_ids: [] })).toEqual([422, ['auto_enroll.list_ids']]);
      expect(await errors({ list_ids: Array(101).fill(list.id) })).toEqual([422, ['auto_enroll.list_ids']]);
      expect(await errors({ list_ids: [list.id], segment_ids: Array(21).fill(1) })).toEqual([
        422,
        ['auto_enroll.segment_ids'],
      ]);
      expect(await errors({ list_ids: [list.id], tag_ids: [1] })).toEqual([422, ['auto_enroll.tag_ids']]);
      for (const wrong of [true, 'all', [list.id], 0]) expect(await errors(wrong)).toEqual([422, ['auto_enroll']]);
    });

    it('loses lists and segments that are deleted, and is null after the last one', async () => {
      const [list, other] = [await listWith(), await listWith()];
      const segment = await given.segment([{ field: 'status', operator: 'equals', value: 'active' }]);
      const campaign = await campaignWith({ list_ids: [list.id, other.id], segment_ids: [segment.id] });
      await api.delete(`/lists/${list.id}`);
      expect((await get(campaign)).auto_enroll).toEqual({ list_ids: [other.id], segment_ids: [segment.id] });
      await Promise.all([api.delete(`/lists/${other.id}`), api.delete(`/segments/${segment.id}`)]);
      expect((await get(campaign)).auto_enroll).toBeNull();
      const [row] = await service.database.query('SELECT auto_enrolls FROM campaigns WHERE id = $1', [campaign.id]);
      expect(row).toEqual({ auto_enrolls: false });
    });
  });

  it('enrolls the members at the start, and those who join later, each once', async () => {
    const [first, second, third] = (await given.contacts(3)).map(Number);
    const list = await listWith(Number(first));
    const campaign = await started({ list_ids: [list.id] });
    await enrolls(campaign, [Number(first)]);
    await join(list, Number(second));
    await enrolls(campaign, [Number(first), Number(second)]);
    await api.delete(`/lists/${list.id}/contacts`, { contact_ids: [second] });
    await join(list, Number(second), Number(third));
    await enrolls(campaign, [Number(first), Number(second), Number(third)]);
    const { data } = await api.get(`/contacts/${third}/activity`);
    expect(data.map((each: { type: string }) => each.type)).toContain('enrollment.created');
  });

  it('starts without contacts, and never completes by itself', async () => {
    const list = await listWith();
    const campaign = await started({ list_ids: [list.id] }, { steps: [{ subject: 'Now', body: '<p>Now</p>' }] });
    const contact = await given.contact({ lists: [list.id] });
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`);
      expect(data?.status).toBe('completed');
    });
    await service.app.get(FinishedCampaigns, { strict: false }).complete();
    expect((await get(campaign)).status).toBe('active');
    await api.put(`/campaigns/${campaign.id}`, { auto_enroll: null });
    await eventually(async () => expect((await get(campaign)).status).toBe('completed'));
  });

  it('does not enroll again who was removed, unless by hand', async () => {
    const [contact] = (await given.contacts(1)).map(Number);
    const list = await listWith(Number(contact));
    const campaign = await started({ list_ids: [list.id] });
    await enrolls(campaign, [Number(contact)]);
    expect((await api.delete(`/campaigns/${campaign.id}/contacts/${contact}`)).status).toBe(204);
    await api.put(`/contacts/${contact}`, { first_name: 'Changed' });
    await api.post(`/campaigns/${campaign.id}/pause`);
    await start(campaign);
    await settled();
    expect(await enrolled(campaign)).toEqual([]);
    const byHand = await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact] });
    expect(byHand.data.enrolled).toBe(1);
  });

  it('enrolls no contact while it is paused, and after that those who came meanwhile', async () => {
    const contacts = (await given.contacts(2)).map(Number);
    const list = await listWith();
    const campaign = await started({ list_ids: [list.id] });
    await settled();
    await api.post(`/campaigns/${campaign.id}/pause`);
    await join(list, ...contacts);
    const [noted] = await service.database.query(
      'SELECT count(*)::int AS rows FROM changed_contacts WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect(noted).toEqual({ rows: 0 });
    expect(await enrolled(campaign)).toEqual([]);
    await start(campaign);
    await enrolls(campaign, contacts);
  });

  it('leaves out contacts that are not active, until they are', async () => {
    const list = await listWith();
    const campaign = await started({ list_ids: [list.id] });
    const contact = await given.contact();
    await api.post(`/contacts/${contact.id}/unsubscribe`);
    await join(list, contact.id);
    await settled();
    expect(await enrolled(campaign)).toEqual([]);
    await api.post(`/contacts/${contact.id}/resubscribe`);
    await enrolls(campaign, [contact.id]);
  });

  it('leaves out contacts of other sequences with skip_running_elsewhere', async () => {
    const [busy, free] = (await given.contacts(2)).map(Number);
    await given.running([Number(busy)], { steps: LATER });
    const list = await listWith(Number(busy), Number(free));
    const campaign = await started({ list_ids: [list.id] }, { skip_running_elsewhere: true });
    await settled();
    expect(await enrolled(campaign)).toEqual([free]);
  });

  it('enrolls in several campaigns of a workspace', async () => {
    const list = await listWith();
    const campaigns = [await started({ list_ids: [list.id] }), await started({ list_ids: [list.id] })];
    const contact = await given.contact({ lists: [list.id] });
    for (const campaign of campaigns) await enrolls(campaign, [contact.id]);
  });

  it('takes the members of lists and segments that are added while it is active', async () => {
    const [listed, matching] = (await given.contacts(2, 'auto')).map(Number);
    const list = await listWith(Number(listed));
    const empty = await listWith();
    const campaign = await started({ list_ids: [empty.id] });
    await settled();
    await api.put(`/campaigns/${campaign.id}`, { auto_enroll: { list_ids: [empty.id, list.id] } });
    await enrolls(campaign, [Number(listed)]);
    const segment = await given.segment([{ field: 'email', operator: 'starts_with', value: 'auto2' }]);
    await api.put(`/campaigns/${campaign.id}`, { auto_enroll: { segment_ids: [segment.id] } });
    await enrolls(campaign, [Number(listed), Number(matching)]);
  });

  describe('with a segment', () => {
    /** Each changes what a contact is, so that it meets the conditions. */
    const CHANGES: [
      string,
      () => Promise<{ conditions: object[]; before?: object; change: (id: number) => unknown }>,
    ][] = [
      [
        'a field of the contact',
        async () => ({
          conditions: [{ field: 'job_title', operator: 'equals', value: 'Pilot' }],
          change: (id) => api.put(`/contacts/${id}`, { job_title: 'Pilot' }),
        }),
      ],
      [
        'a number among the custom fields',
        async () => ({
          conditions: [{ field: 'custom_fields.score', operator: 'greater_than', value: '10' }],
          before: { custom_fields: { score: 1 } },
          change: (id) => api.put(`/contacts/${id}`, { custom_fields: { score: 11 } }),
        }),
      ],
      [
        'its company, which is deleted',
        async () => {
          const company = await given.group('/companies');
          return {
            conditions: [{ field: 'company_id', operator: 'is_empty' }],
            before: { company_id: company.id },
            change: () => api.delete(`/companies/${company.id}`),
          };
        },
      ],
      [
        'a tag',
        async () => {
          const tag = await given.group('/tags');
          return {
            conditions: [{ field: 'tag_id', operator: 'equals', value: String(tag.id) }],
            change: (id) => api.post(`/tags/${tag.id}/contacts`, { contact_ids: [id] }),
          };
        },
      ],
      [
        'a tag, which is removed',
        async () => {
          const tag = await given.group('/tags');
          return {
            conditions: [{ field: 'tag_id', operator: 'not_equals', value: String(tag.id) }],
            before: { tags: [tag.id] },
            change: (id) => api.delete(`/tags/${tag.id}/contacts`, { contact_ids: [id] }),
          };
        },
      ],
      [
        'its only tag, which is deleted',
        async () => {
          const tag = await given.group('/tags');
          return {
            conditions: [{ field: 'tag_id', operator: 'is_empty' }],
            before: { tags: [tag.id] },
            change: () => api.delete(`/tags/${tag.id}`),
          };
        },
      ],
      [
        'a list, which is deleted',
        async () => {
          const list = await listWith();
          return {
            conditions: [{ field: 'list_id', operator: 'not_equals', value: String(list.id) }],
            before: { lists: [list.id] },
            change: () => api.delete(`/lists/${list.id}`),
          };
        },
      ],
      [
        'a custom field, which is deleted',
        async () => {
          const field = await given.group('/custom-fields', { key: 'plan', label: 'Plan', type: 'text' });
          return {
            conditions: [{ field: 'custom_fields.plan', operator: 'not_equals', value: 'free' }],
            before: { custom_fields: { plan: 'free' } },
            change: () => api.delete(`/custom-fields/${field.id}`),
          };
        },
      ],
    ];

    it.each(CHANGES)('enrolls a contact after a change of %s', async (_, prepare) => {
      const { conditions, before, change } = await prepare();
      const contact = await given.contact(before);
      const segment = await given.segment([
        ...conditions,
        { field: 'email', operator: 'equals', value: contact.email },
      ]);
      const campaign = await started({ segment_ids: [segment.id] });
      await settled();
      expect(await enrolled(campaign)).toEqual([]);
      await change(contact.id);
      await enrolls(campaign, [contact.id]);
    });

    it('enrolls its contacts after its conditions were replaced', async () => {
      const contact = await given.contact({ first_name: 'Zoe' });
      const segment = await given.segment([{ field: 'first_name', operator: 'equals', value: 'Nobody' }]);
      const campaign = await started({ segment_ids: [segment.id] });
      await settled();
      await api.put(`/segments/${segment.id}`, {
        conditions: [{ field: 'first_name', operator: 'equals', value: 'Zoe' }],
      });
      await enrolls(campaign, [contact.id]);
    });

    it('enrolls the contacts of any of several segments and lists', async () => {
      const contacts = (await given.contacts(3, 'any')).map(Number);
      const list = await listWith(Number(contacts[2]));
      const segments = await Promise.all(
        ['any1', 'any2'].map((value) => given.segment([{ field: 'email', operator: 'starts_with', value }])),
      );
      const campaign = await started({ list_ids: [list.id], segment_ids: segments.map(({ id }) => id) });
      await enrolls(campaign, contacts);
    });
  });
});

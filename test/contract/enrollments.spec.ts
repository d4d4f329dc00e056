import { FinishedCampaigns } from '../../src/campaigns/campaign/finished-campaigns.cross-tenant.js';
import { CampaignCompletion, EnrollmentTransitions } from '../../src/campaigns/index.js';
import { sql } from '../../src/platform/database/index.js';
import { DomainEvents } from '../../src/platform/events/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { httpError, TIMESTAMP } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const MINUTE = 60_000;
const minutesBetween = (from: Date, to: Date | undefined): number =>
  Math.round((Number(to) - Number(from)) / MINUTE) || 0;
const hello = { subject: 'Hello {{ first_name }}', body: '<p>Hello</p>' };

describe('/campaigns/{id}/contacts', () => {
  const service = useSharedService();
  let api: ApiClient;
  let other: ApiClient;
  beforeEach(async () => {
    api = await service.client();
    other = await service.client();
  });

  const scopeOf = (client: ApiClient) => service.app.get(Workspaces, { strict: false }).scope(client.workspaceId);
  const transitions = () => service.app.get(EnrollmentTransitions, { strict: false });
  const completion = () => service.app.get(CampaignCompletion, { strict: false });
  const contacts = async (count: number, { status = 'active', client = api } = {}): Promise<number[]> => {
    const rows = await service.database.query<{ id: number }>(
      `INSERT INTO contacts (workspace_id, email, status, first_name)
       SELECT $1, gen_random_uuid() || '@example.com', $3, 'C' || n FROM generate_series(1, $2::int) n RETURNING id::int`,
      [client.workspaceId, count, status],
    );
    return rows.map(({ id }) => id);
  };
  const contact = async (values: { status?: string; client?: ApiClient } = {}): Promise<number> =>
    Number((await contacts(1, values))[0]);
  const list = async (members: readonly number[], client = api): Promise<number> => {
    const { data } = await client.post('/lists', { name: `L${Math.random()}` });
    await service.database.query(
      `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
       SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1 AND id = ANY($3::bigint[])`,
      [client.workspaceId, data.id, members],
    );
    return data.id;
  };
  const account = () =>
    api.post('/email-accounts', {
      ...{ name: 'Ann', from_name: 'Ann', from_email: 'ann@example.com', type: 'smtp' },
      ...{ smtp_host: '127.0.0.1', smtp_port: 2525, smtp_username: 'u', smtp_password: 'p' },
    });
  const campaign = async (steps: object[] = [hello, hello]) => {
    const { status, data } = await api.post('/campaigns', { name: 'Spring', steps });
    expect(status).toBe(201);
    const { data: made } = await api.get(`/campaigns/${data.id}/steps`);
    return { id: data.id as number, path: `/campaigns/${data.id}`, steps: made.map((step: { id: number }) => step.id) };
  };
  const active = async (steps?: object[]) => {
    await account();
    const made = await campaign(steps);
    expect((await api.post(`${made.path}/start`)).status).toBe(200);
    return made;
  };
  const enroll = async (path: string, ids: readonly number[]) => {
    const { status, data } = await api.post(`${path}/contacts`, { contact_ids: ids });
    expect(status).toBe(201);
    return data;
  };
  /** The rows of a campaign's enrollments, with columns that the API does not show. */
  const stored = async (campaignId: number) =>
    service.database.query<{
      id: number;
      contact_id: number;
      status: string;
      current_step_id: number;
      next_due_at: Date;
    }>(
      `SELECT enrollment.id::int, contact_id::int, status, current_step_id::int, due.due_at AS next_due_at
       FROM enrollments enrollment
       LEFT JOIN due_steps due ON due.workspace_id = enrollment.workspace_id AND due.enrollment_id = enrollment.id
       WHERE enrollment.campaign_id = $1 ORDER BY enrollment.id`,
      [campaignId],
    );
  const now = (): Date => service.clocks.clockOf(api.workspaceId).now();
  const waitOf = async (campaignId: number): Promise<number> => {
    const [row] = await stored(campaignId);
    return minutesBetween(now(), row?.next_due_at);
  };
  const statusOf = async (path: string) => (await api.get(path)).data.status;
  const errorKeysOf = async (call: ReturnType<ApiClient['post']>): Promise<string[]> => {
    const { status, body } = await call;
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: 'ValidationError', code: 422 });
    return Object.keys(body.errors).sort();
  };

  describe('POST contacts', () => {
    it('returns the numbers of enrolled and skipped contacts', async () => {
      const { path, steps } = await campaign();
      const [one, two] = await contacts(2);
      const { status, body } = await api.post(`${path}/contacts`, { contact_ids: [one, two] });
      expect(status).toBe(201);
      expect(body).toEqual({ data: { message: expect.any(String), enrolled: 2, skipped: 0 } });
      const { data } = await api.get(`${path}/contacts/${one}`);
      expect(data).toMatchObject({ contact_id: one, current_step_id: steps[0], status: 'pending' });
      expect((await api.get(path)).data.contacts_count).toBe(2);
    });

    it('skips enrolled and inactive contacts, ignores unknown IDs, and counts each contact once', async () => {
      const { path } = await campaign();
      const [known, fresh] = await contacts(2);
      await enroll(path, [Number(known)]);
      const skipped = await Promise.all(['unsubscribed', 'bounced', 'complained'].map((status) => contact({ status })));
      const ignored = [await contact({ client: other }), 999_999_999, Number.MAX_SAFE_INTEGER];
      const ids = [known, fresh, fresh, known, ...skipped, ...skipped, ...ignored] as number[];
      expect(await enroll(path, ids)).toMatchObject({ enrolled: 1, skipped: 4 });
      expect(await enroll(path, ignored)).toMatchObject({ enrolled: 0, skipped: 0 });
      expect((await api.get(`${path}/contacts`)).body.meta.total).toBe(2);
    });

    it('enrolls 10,000 contacts in one call', async () => {
      const { path } = await campaign();
      const ids = await contacts(10_000);
      expect(await enroll(path, ids)).toMatchObject({ enrolled: 10_000, skipped: 0 });
      expect(await enroll(path, [...ids].reverse())).toMatchObject({ enrolled: 0, skipped: 10_000 });
      expect((await api.get(path)).data.contacts_count).toBe(10_000);
    });

    it('enrolls each contact once when calls are concurrent', async () => {
      const { path } = await campaign();
      const ids = await contacts(500);
      const responses = await Promise.all(Array.from({ length: 4 }, () => enroll(path, ids)));
      expect(responses.map(({ enrolled, skipped }) => enrolled + skipped)).toEqual([500, 500, 500, 500]);
      expect(responses.reduce((sum, { enrolled }) => sum + enrolled, 0)).toBe(500);
    });

    it.each<[string, object, string[]]>([
      ['no IDs', {}, ['contact_ids']],
      ['an empty array', { contact_ids: [] }, ['contact_ids']],
      ['null', { contact_ids: null }, ['contact_ids']],
      ['a single ID', { contact_ids: 5 }, ['contact_ids']],
      [
        'values that are not IDs',
        { contact_ids: [1, '2', 0, -1, 1.5, null, [3], 2 ** 53] },
        [1, 2, 3, 4, 5, 6, 7].map((n) => `contact_ids.${n}`),
      ],
      ['more than 10,000 IDs', { contact_ids: Array.from({ length: 10_001 }, (_, n) => n + 1) }, ['contact_ids']],
    ])('returns 422 for %s', async (_, body, errorKeys) => {
      const { path } = await campaign();
      expect(await errorKeysOf(api.post(`${path}/contacts`, body))).toEqual(errorKeys);
    });

    it('returns 404 for an unknown campaign before it validates the body', async () => {
      const { path } = await campaign();
      for (const call of ['/contacts', '/contacts/enroll-from-lists']) {
        expect((await other.post(`${path}${call}`, {})).body).toEqual(httpError(404));
        expect((await api.post(`/campaigns/0${call}`, {})).body).toEqual(httpError(404));
      }
    });
  });

  describe('POST contacts/enroll-from-lists', () => {
    const fromLists = async (path: string, body: object) => {
      const { status, data } = await api.post(`${path}/contacts/enroll-from-lists`, body);
      expect(status).toBe(201);
      return data;
    };

    it('enrolls the members of all lists, each once', async () => {
      const { path } = await campaign();
      const [a, b, c] = (await contacts(3)) as [number, number, number];
      const gone = await contact({ status: 'bounced' });
      await enroll(path, [c]);
      const lists = [await list([a, b, gone]), await list([b, c, gone]), await list([])];
      const { data } = await api.post(`${path}/contacts/enroll-from-lists`, { list_ids: [...lists, ...lists] });
      expect(data).toEqual({ message: expect.any(String), enrolled: 2, skipped: 2 });
      expect((await api.get(`${path}/contacts`)).body.meta.total).toBe(3);
    });

    it('enrolls lists with more contacts than one chunk', async () => {
      const { path } = await campaign();
      const ids = await contacts(6500);
      const lists = [await list(ids.slice(0, 5500)), await list(ids.slice(1000))];
      expect(await fromLists(path, { list_ids: lists })).toMatchObject({ enrolled: 6500, skipped: 0 });
      expect(await fromLists(path, { list_ids: lists })).toMatchObject({ enrolled: 0, skipped: 6500 });
    });

    it('ignores lists and segments that do not exist in the workspace', async () => {
      const { path } = await campaign();
      const foreign = await list(await contacts(3, { client: other }), other);
      expect(await fromLists(path, { list_ids: [foreign, 999_999], segment_ids: [999_999] })).toMatchObject({
        enrolled: 0,
        skipped: 0,
      });
      expect(await fromLists(path, { segment_ids: [1] })).toMatchObject({ enrolled: 0, skipped: 0 });
      expect(await fromLists(path, { list_ids: null, segment_ids: [1] })).toMatchObject({ enrolled: 0, skipped: 0 });
    });

    it.each<[string, object, string[]]>([
      ['an empty body', {}, ['list_ids']],
      ['empty arrays', { list_ids: [], segment_ids: [] }, ['list_ids']],
      ['nulls', { list_ids: null, segment_ids: null }, ['list_ids']],
      ['wrong types', { list_ids: 'all', segment_ids: { id: 1 } }, ['list_ids', 'segment_ids']],
      ['wrong IDs', { list_ids: [1, 'x'], segment_ids: [0] }, ['list_ids.1', 'segment_ids.0']],
      [
        'more than 10,000 IDs in total',
        {
          list_ids: Array.from({ length: 6000 }, (_, n) => n + 1),
          segment_ids: Array.from({ length: 4001 }, (_, n) => n + 1),
        },
        ['list_ids'],
      ],
    ])('returns 422 for %s', async (_, body, errorKeys) => {
      const { path } = await campaign();
      expect(await errorKeysOf(api.post(`${path}/contacts/enroll-from-lists`, body))).toEqual(errorKeys);
    });
  });

  describe('GET contacts', () => {
    it('returns an enrollment with its contact and its current step', async () => {
      const { id, path, steps } = await campaign();
      const { body: ann } = await api.post('/contacts', { email: 'Ann@example.com', first_name: 'Ann' });
      await enroll(path, [ann.id]);
      const { status, data } = await api.get(`${path}/contacts/${ann.id}`);
      expect(status).toBe(200);
      expect(data).toEqual({
        id: expect.any(Number),
        campaign_id: id,
        contact_id: ann.id,
        current_step_id: steps[0],
        status: 'pending',
        completed_at: null,
        next_send_at: null,
        waiting_for: 'draft',
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
        contact: (await api.get(`/contacts/${ann.id}`)).data,
        current_step: (await api.get(`${path}/steps`)).data[0],
      });
      expect((await api.get(`${path}/contacts`)).data).toEqual([data]);
    });

    it('returns no current step if the campaign has no steps', async () => {
      const { path } = await campaign([]);
      const id = await contact();
      await enroll(path, [id]);
      expect((await api.get(`${path}/contacts/${id}`)).data).toMatchObject({
        current_step_id: null,
        current_step: null,
      });
    });

    it('returns pages, newest first, filtered by status', async () => {
      const { path } = await campaign();
      const ids = await contacts(3);
      for (const id of ids) await enroll(path, [id]);
      await api.post(`${path}/contacts/${ids[0]}/skip`);
      await api.post(`${path}/contacts/${ids[0]}/skip`);
      const { body } = await api.get(`${path}/contacts?per_page=2`);
      expect(body.data.map((each: { contact_id: number }) => each.contact_id)).toEqual([ids[2], ids[1]]);
      expect(body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3, count: 2 });
      const filtered = await api.get(`${path}/contacts?status=completed`);
      expect(filtered.body.meta.total).toBe(1);
      expect(filtered.data[0].contact_id).toBe(ids[0]);
      expect((await api.get(`${path}/contacts?status=failed`)).data).toEqual([]);
      expect((await api.get(`${path}/contacts?page=9`)).body).toMatchObject({ data: [], meta: { total: 3, count: 0 } });
      expect((await api.get(`${path}/contacts?status=done`)).status).toBe(422);
      expect((await api.get(`${path}/contacts`)).body.meta.per_page).toBe(25);
    });

    it('returns 404 for an enrollment that does not exist, and in another workspace', async () => {
      const [mine, empty] = [await campaign(), await campaign()];
      const id = await contact();
      await enroll(mine.path, [id]);
      for (const path of [
        `${empty.path}/contacts/${id}`,
        `${mine.path}/contacts/${id + 1}`,
        `${mine.path}/contacts/x`,
      ]) {
        expect((await api.get(path)).body).toEqual(httpError(404));
        expect((await api.delete(path)).body).toEqual(httpError(404));
        expect((await api.post(`${path}/skip`)).body).toEqual(httpError(404));
      }
      expect((await other.get(`${mine.path}/contacts`)).status).toBe(404);
      expect((await other.get(`${mine.path}/contacts/${id}`)).status).toBe(404);
      expect((await other.delete(`${mine.path}/contacts/${id}`)).status).toBe(404);
      expect((await other.post(`${mine.path}/contacts/${id}/skip`)).status).toBe(404);
      expect((await api.get(`${mine.path}/contacts`)).body.meta.total).toBe(1);
    });
  });

  describe('DELETE contacts/{contact}', () => {
    it('returns 204, and the contact can be enrolled again', async () => {
      const { path } = await campaign();
      const id = await contact();
      await enroll(path, [id]);
      const { status, body } = await api.delete(`${path}/contacts/${id}`);
      expect([status, body]).toEqual([204, '']);
      expect((await api.delete(`${path}/contacts/${id}`)).status).toBe(404);
      expect((await api.get(path)).data.contacts_count).toBe(0);
      expect(await enroll(path, [id])).toMatchObject({ enrolled: 1 });
    });

    it('is not needed for a contact that is deleted: its enrollment is deleted, too', async () => {
      const { path } = await campaign();
      const ids = await contacts(2);
      await enroll(path, ids);
      await api.delete(`/contacts/${ids[0]}`);
      expect((await api.get(`${path}/contacts`)).body.meta.total).toBe(1);
      expect((await api.get(path)).data.contacts_count).toBe(1);
    });
  });

  describe('POST contacts/{contact}/skip', () => {
    it('moves to the next step, and completes the enrollment after the last', async () => {
      const { path, steps } = await campaign();
      const id = await contact();
      await enroll(path, [id]);
      const first = await api.post(`${path}/contacts/${id}/skip`);
      expect(first.status).toBe(200);
      expect(first.body).toEqual({ data: { message: expect.any(String), status: null, current_step_id: steps[1] } });
      expect((await api.get(`${path}/contacts/${id}`)).data).toMatchObject({
        status: 'pending',
        current_step_id: steps[1],
        current_step: { id: steps[1], position: 2 },
      });
      const last = await api.post(`${path}/contacts/${id}/skip`);
      expect(last.body).toEqual({
        data: { message: expect.stringMatching(/completed/), status: 'completed', current_step_id: null },
      });
      const { data } = await api.get(`${path}/contacts/${id}`);
      expect(data).toMatchObject({ status: 'completed', completed_at: expect.stringMatching(TIMESTAMP) });
      expect((await api.post(`${path}/contacts/${id}/skip`)).data.status).toBe('completed');
      expect((await api.get(`${path}/contacts/${id}`)).data.completed_at).toBe(data.completed_at);
    });

    it('works in any state, and does not resume an enrollment that has ended', async () => {
      const { id: campaignId, path, steps } = await campaign();
      const id = await contact();
      await enroll(path, [id]);
      const [enrollment] = await stored(campaignId);
      await transitions().fail(await scopeOf(api), [Number(enrollment?.id)]);
      expect((await api.post(`${path}/contacts/${id}/skip`)).data).toMatchObject({
        status: null,
        current_step_id: steps[1],
      });
      expect(await stored(campaignId)).toMatchObject([{ status: 'failed', next_due_at: null }]);
      expect((await api.post(`${path}/contacts/${id}/skip`)).data.status).toBe('completed');
      expect(await stored(campaignId)).toMatchObject([{ status: 'completed', next_due_at: null }]);
    });

    it('moves an enrollment without a step to the second step', async () => {
      const { path } = await campaign([]);
      const id = await contact();
      await enroll(path, [id]);
      await api.post(`${path}/steps`, hello);
      const { data: second } = await api.post(`${path}/steps`, hello);
      expect((await api.post(`${path}/contacts/${id}/skip`)).data.current_step_id).toBe(second.id);
    });

    it('makes the next step due after its delay', async () => {
      const { id: campaignId, path } = await active([hello, { ...hello, delay_minutes: 90 }]);
      const id = await contact();
      await enroll(path, [id]);
      await api.post(`${path}/contacts/${id}/skip`);
      expect(await waitOf(campaignId)).toBe(90);
    });
  });

  describe('the delay of the first step', () => {
    it('counts from the enrollment in an active campaign', async () => {
      const { id: campaignId, path } = await active([{ ...hello, delay_minutes: 60 }]);
      await enroll(path, [await contact()]);
      expect(await waitOf(campaignId)).toBe(60);
    });

    it('counts from the start, with the delay at that time', async () => {
      await account();
      const { id: campaignId, path, steps } = await campaign([{ ...hello, delay_minutes: 5 }]);
      await enroll(path, [await contact()]);
      service.clocks.advance(api.workspaceId, { days: 1 });
      await api.put(`${path}/steps/${steps[0]}`, { delay_minutes: 30 });
      await api.post(`${path}/start`);
      expect(await waitOf(campaignId)).toBe(30);
    });

    it('makes the step due immediately if it is 0', async () => {
      const { id: campaignId, path } = await campaign();
      await enroll(path, [await contact()]);
      await account();
      await api.post(`${path}/start`);
      expect(await waitOf(campaignId)).toBe(0);
    });

    it('counts from a resumption only for contacts enrolled during the pause', async () => {
      const { id: campaignId, path } = await active([{ ...hello, delay_minutes: 60 }]);
      const [early, late] = (await contacts(2)) as [number, number];
      await enroll(path, [early]);
      service.clocks.advance(api.workspaceId, { minutes: 50 });
      await api.post(`${path}/pause`);
      await enroll(path, [late]);
      await api.post(`${path}/start`);
      const waits = (await stored(campaignId)).map((row) => minutesBetween(now(), row.next_due_at));
      expect(waits).toEqual([10, 60]);
    });

    it('counts from the start for contacts enrolled before there were steps', async () => {
      await account();
      const { id: campaignId, path } = await campaign([]);
      await enroll(path, [await contact()]);
      const { data: step } = await api.post(`${path}/steps`, { ...hello, delay_minutes: 15 });
      expect(await stored(campaignId)).toMatchObject([{ current_step_id: null, next_due_at: null }]);
      await api.post(`${path}/start`);
      expect(await stored(campaignId)).toMatchObject([{ current_step_id: step.id, status: 'pending' }]);
      expect(await waitOf(campaignId)).toBe(15);
    });

    it('changes the due time when it is changed', async () => {
      const { id: campaignId, path, steps } = await active([{ ...hello, delay_minutes: 60 }]);
      await enroll(path, [await contact()]);
      await api.put(`${path}/steps/${steps[0]}`, { delay_minutes: 90 });
      expect(await waitOf(campaignId)).toBe(90);
      await api.put(`${path}/steps/${steps[0]}`, { delay_minutes: 0 });
      expect(await waitOf(campaignId)).toBe(0);
    });
  });

  describe('deleting a step', () => {
    it('moves its enrollments to the next step, due after the delay of that step', async () => {
      const delayed = [hello, { ...hello, delay_minutes: 60 }, { ...hello, delay_minutes: 100 }];
      const { id: campaignId, path, steps } = await active(delayed);
      const id = await contact();
      await enroll(path, [id]);
      await api.post(`${path}/contacts/${id}/skip`);
      expect((await api.delete(`${path}/steps/${steps[1]}`)).status).toBe(204);
      expect(await stored(campaignId)).toMatchObject([{ current_step_id: steps[2], status: 'pending' }]);
      expect(await waitOf(campaignId)).toBe(100);
      expect((await api.get(`${path}/steps`)).data.map((step: { position: number }) => step.position)).toEqual([1, 2]);
    });

    it('starts the delay of the next step now for enrollments whose message was being sent', async () => {
      const { id: campaignId, path, steps } = await active([hello, { ...hello, delay_minutes: 20 }]);
      await enroll(path, [await contact()]);
      await service.database.query('DELETE FROM due_steps WHERE campaign_id = $1', [campaignId]);
      await api.delete(`${path}/steps/${steps[0]}`);
      expect(await stored(campaignId)).toMatchObject([{ current_step_id: steps[1] }]);
      expect(await waitOf(campaignId)).toBe(20);
    });

    it('completes the enrollments at the last step, and then the campaign', async () => {
      const { id: campaignId, path, steps } = await active();
      const ids = (await contacts(2)) as [number, number];
      await enroll(path, ids);
      await api.post(`${path}/contacts/${ids[0]}/skip`);
      await api.delete(`${path}/steps/${steps[1]}`);
      expect(await stored(campaignId)).toMatchObject([
        { status: 'completed', current_step_id: null, next_due_at: null },
        { status: 'pending', current_step_id: steps[0] },
      ]);
      expect(await statusOf(path)).toBe('active');
      await api.post(`${path}/contacts/${ids[1]}/skip`);
      expect(await statusOf(path)).toBe('completed');
    });

    it('pauses the campaign if it was the only step and nothing was sent, until it has another and is started', async () => {
      const { id: campaignId, path, steps } = await active([hello]);
      const id = await contact();
      await enroll(path, [id]);
      const waitingFor = async () => (await api.get(`${path}/contacts/${id}`)).data.waiting_for;
      await api.delete(`${path}/steps/${steps[0]}`);
      expect((await api.get(path)).data).toMatchObject({ status: 'paused', pause_reason: 'no_step' });
      expect(await stored(campaignId)).toMatchObject([{ status: 'pending', current_step_id: null, next_due_at: null }]);
      expect(await waitingFor()).toBe('no_step');
      expect((await api.post(`${path}/start`)).body.reason).toBe('no_steps');
      const { data: step } = await api.post(`${path}/steps`, hello);
      expect(await waitingFor()).toBe('paused');
      expect((await api.post(`${path}/start`)).data).toMatchObject({ status: 'active', pause_reason: null });
      expect(await stored(campaignId)).toMatchObject([{ status: 'pending', current_step_id: step.id }]);
      expect(await waitOf(campaignId)).toBe(0);
    });

    it('pauses a campaign that waits for contacts, and completes one of which none is left', async () => {
      const [empty, ended, draft] = [await active([hello]), await active([hello]), await campaign([hello])];
      const id = await contact();
      await enroll(ended.path, [id]);
      const [row] = await stored(ended.id);
      await transitions().afterSend(await scopeOf(api), [{ enrollment_id: row?.id ?? 0, step_id: null }]);
      for (const { path, steps } of [empty, ended, draft]) await api.delete(`${path}/steps/${steps[0]}`);
      expect((await api.get(empty.path)).data).toMatchObject({ status: 'paused', pause_reason: 'no_step' });
      expect((await api.get(ended.path)).data).toMatchObject({ status: 'completed', pause_reason: null });
      expect((await api.get(draft.path)).data).toMatchObject({ status: 'draft', pause_reason: null });
    });
  });

  describe('EnrollmentTransitions', () => {
    it('moves to the next step after each send, and completes after the last', async () => {
      const { id: campaignId, path, steps } = await active([hello, { ...hello, delay_minutes: 45 }]);
      const [a, b] = (await contacts(2)) as [number, number];
      await enroll(path, [a, b]);
      const scope = await scopeOf(api);
      const [one, two] = (await stored(campaignId)).map(({ id }) => id) as [number, number];
      const sent = (id: number, step: number | null) => ({ enrollment_id: id, step_id: step });
      expect(await transitions().afterSend(scope, [sent(one, steps[0])])).toEqual([]);
      expect(await stored(campaignId)).toMatchObject([
        { status: 'in_progress', current_step_id: steps[1] },
        { status: 'pending', current_step_id: steps[0] },
      ]);
      expect(await waitOf(campaignId)).toBe(45);
      expect(await transitions().afterSend(scope, [sent(one, steps[1]), sent(two, steps[0])])).toEqual([campaignId]);
      expect(await stored(campaignId)).toMatchObject([
        { status: 'completed', current_step_id: steps[1], next_due_at: null },
        { status: 'in_progress', current_step_id: steps[1] },
      ]);
      expect(await transitions().afterSend(scope, [sent(one, steps[1])])).toEqual([]);
      await completion().completeIfDone(scope, [campaignId]);
      expect(await statusOf(path)).toBe('active');
    });

    it('keeps the step of an enrollment that was skipped or whose step was deleted', async () => {
      const { id: campaignId, path, steps } = await active([hello, { ...hello, delay_minutes: 45 }, hello]);
      const ids = (await contacts(2)) as [number, number];
      await enroll(path, ids);
      await service.database.query('DELETE FROM due_steps WHERE campaign_id = $1', [campaignId]);
      for (const id of ids) await api.post(`${path}/contacts/${id}/skip`);
      const [one, two] = (await stored(campaignId)).map(({ id }) => id) as [number, number];
      await api.delete(`${path}/steps/${steps[0]}`);
      await transitions().afterSend(await scopeOf(api), [
        { enrollment_id: one, step_id: steps[0] },
        { enrollment_id: two, step_id: null },
      ]);
      expect(await stored(campaignId)).toMatchObject([
        { status: 'in_progress', current_step_id: steps[1] },
        { status: 'in_progress', current_step_id: steps[1] },
      ]);
      expect(await waitOf(campaignId)).toBe(45);
    });

    it('fails an enrollment once', async () => {
      const { id: campaignId, path } = await active();
      await enroll(path, [await contact()]);
      const [enrollment] = await stored(campaignId);
      const scope = await scopeOf(api);
      expect(await transitions().fail(scope, [Number(enrollment?.id)])).toEqual([campaignId]);
      expect(await transitions().fail(scope, [Number(enrollment?.id)])).toEqual([]);
      expect(await transitions().fail(await scopeOf(other), [Number(enrollment?.id)])).toEqual([]);
      expect(await stored(campaignId)).toMatchObject([{ status: 'failed', next_due_at: null }]);
    });
  });

  describe('unsubscribing a contact', () => {
    it('ends its running enrollments in all campaigns', async () => {
      const [one, two, done] = [await active(), await campaign(), await campaign([hello])];
      const [id, stays] = (await contacts(2)) as [number, number];
      for (const { path } of [one, two, done]) await enroll(path, [id, stays]);
      await api.post(`${done.path}/contacts/${id}/skip`);
      await api.post(`/contacts/${id}/unsubscribe`);
      for (const { id: campaignId } of [one, two]) {
        expect(await stored(campaignId)).toMatchObject([
          { contact_id: id, status: 'unsubscribed', next_due_at: null },
          { contact_id: stays, status: 'pending' },
        ]);
      }
      expect((await api.get(`${one.path}/contacts/${id}`)).data).toMatchObject({
        status: 'unsubscribed',
        completed_at: null,
        contact: { status: 'unsubscribed' },
      });
      expect(await stored(done.id)).toMatchObject([{ status: 'completed' }, { status: 'pending' }]);
    });

    it('ends enrollments that are created at the same time', async () => {
      const { id: campaignId, path } = await active();
      const ids = await contacts(40);
      await Promise.all([enroll(path, ids), ...ids.map((id) => api.post(`/contacts/${id}/unsubscribe`))]);
      expect((await stored(campaignId)).filter(({ status }) => status !== 'unsubscribed')).toEqual([]);
    });
  });

  describe('completion of a campaign', () => {
    const published = () => {
      const publish = jest.spyOn(service.app.get(DomainEvents, { strict: false }), 'publish');
      return { count: (name: string) => publish.mock.calls.filter(([, event]) => event === name).length, publish };
    };
    afterEach(() => jest.restoreAllMocks());
    const completedCampaign = async (accountIds: readonly number[] = []) => {
      const made = await active([hello]);
      if (accountIds.length > 0) await api.put(made.path, { email_account_ids: accountIds });
      const id = await contact();
      await enroll(made.path, [id]);
      await api.post(`${made.path}/contacts/${id}/skip`);
      expect(await statusOf(made.path)).toBe('completed');
      return made;
    };

    it('happens when all enrollments have ended, and not without enrollments', async () => {
      const { path } = await active([hello]);
      expect(await statusOf(path)).toBe('active');
      const [a, b, c] = (await contacts(3)) as [number, number, number];
      await enroll(path, [a, b, c]);
      await api.post(`${path}/contacts/${a}/skip`);
      await api.post(`/contacts/${b}/unsubscribe`);
      expect(await statusOf(path)).toBe('active');
      await api.delete(`${path}/contacts/${c}`);
      expect((await api.get(path)).data).toMatchObject({
        status: 'completed',
        completed_at: expect.stringMatching(TIMESTAMP),
      });
    });

    it('happens only in an active campaign', async () => {
      const { path } = await campaign([hello]);
      const id = await contact();
      await enroll(path, [id]);
      await api.post(`${path}/contacts/${id}/skip`);
      expect(await statusOf(path)).toBe('draft');
      await account();
      expect((await api.post(`${path}/start`)).data.status).toBe('active');
      expect(await statusOf(path)).toBe('completed');
    });

    it('ends when contacts are enrolled, with campaign.started, and comes again', async () => {
      const { id: campaignId, path, steps } = await active([{ ...hello, delay_minutes: 30 }]);
      const [a, b] = (await contacts(2)) as [number, number];
      await enroll(path, [a]);
      await api.post(`${path}/contacts/${a}/skip`);
      const { data: completed } = await api.get(path);
      expect(await enroll(path, [a])).toMatchObject({ enrolled: 0 });
      expect((await api.get(path)).data).toEqual(completed);
      const events = published();
      expect(await enroll(path, [b])).toMatchObject({ enrolled: 1 });
      const { data } = await api.get(path);
      expect(data).toMatchObject({ status: 'active', completed_at: null, started_at: completed.started_at });
      expect((await stored(campaignId))[1]).toMatchObject({ status: 'pending', current_step_id: steps[0] });
      expect(minutesBetween(now(), (await stored(campaignId))[1]?.next_due_at)).toBe(30);
      expect([events.count('campaign.started'), events.count('enrollments.due')]).toEqual([1, 1]);
      await api.post(`${path}/contacts/${b}/skip`);
      expect(await statusOf(path)).toBe('completed');
      expect(events.count('campaign.completed')).toBe(1);
    });

    it('ends once when several calls enroll contacts at the same time', async () => {
      const { path } = await completedCampaign();
      const events = published();
      await Promise.all((await contacts(6)).map((id) => enroll(path, [id])));
      expect(await statusOf(path)).toBe('active');
      expect(events.count('campaign.started')).toBe(1);
    });

    it('does not end while the campaign is paused: who was enrolled meanwhile waits for its start', async () => {
      const { path } = await completedCampaign();
      expect((await api.post(`${path}/pause`)).data).toMatchObject({
        status: 'paused',
        completed_at: null,
        pause_reason: null,
      });
      const id = await contact();
      await enroll(path, [id]);
      expect(await statusOf(path)).toBe('paused');
      expect((await api.get(`${path}/contacts/${id}`)).data).toMatchObject({ waiting_for: 'paused' });
      expect((await api.post(`${path}/start`)).data.status).toBe('active');
      expect((await api.get(`${path}/contacts/${id}`)).data).toMatchObject({ waiting_for: null });
    });

    it('ends with a reason to pause if nothing can send what was enrolled', async () => {
      const { data: own } = await account();
      const [stepless, accountless] = [await completedCampaign(), await completedCampaign([own.id])];
      await api.delete(`${stepless.path}/steps/${stepless.steps[0]}`);
      await api.delete(`/email-accounts/${own.id}`);
      const events = published();
      for (const [{ path }, reason, waitingFor] of [
        [stepless, 'no_step', 'no_step'],
        [accountless, 'account_deleted', 'paused'],
      ] as const) {
        expect(await statusOf(path)).toBe('completed');
        const id = await contact();
        await enroll(path, [id]);
        expect((await api.get(path)).data).toMatchObject({
          status: 'paused',
          pause_reason: reason,
          completed_at: null,
        });
        expect((await api.get(`${path}/contacts/${id}`)).data).toMatchObject({ waiting_for: waitingFor });
      }
      expect([events.count('campaign.paused'), events.count('campaign.started')]).toEqual([2, 0]);
    });

    it('ends with auto_enroll, and not with a skip of what has ended', async () => {
      const { path } = await completedCampaign();
      const { data: list } = await api.post('/lists', { name: 'New members' });
      const { data: enrollments } = await api.get(`${path}/contacts`);
      await api.post(`${path}/steps`, hello);
      await api.post(`${path}/contacts/${enrollments[0].contact_id}/skip`);
      expect(await statusOf(path)).toBe('completed');
      const { data } = await api.put(path, { auto_enroll: { list_ids: [list.id] } });
      expect(data).toMatchObject({ status: 'active', completed_at: null });
    });

    it('publishes campaign.completed once when several calls complete the campaign at the same time', async () => {
      const { id: campaignId, path } = await active([hello]);
      const ids = await contacts(8);
      await enroll(path, ids);
      const events = published();
      await Promise.all(ids.map((id) => api.post(`${path}/contacts/${id}/skip`)));
      const scope = await scopeOf(api);
      await Promise.all(Array.from({ length: 4 }, () => completion().completeIfDone(scope, [campaignId])));
      expect(await statusOf(path)).toBe('completed');
      expect(events.count('campaign.completed')).toBe(1);
    });

    it('is done by the scheduled task if no call did it', async () => {
      const { id: campaignId, path } = await active([hello]);
      const ids = await contacts(2);
      await enroll(path, ids);
      await api.post(`${path}/contacts/${ids[0]}/skip`);
      await api.delete(`/contacts/${ids[1]}`);
      await service.app.get(FinishedCampaigns, { strict: false }).complete();
      expect(await statusOf(path)).toBe('completed');
      const [row] = await service.database.query('SELECT completed_at FROM campaigns WHERE id = $1', [campaignId]);
      expect(row?.completed_at).toBeInstanceOf(Date);
    });

    describe('by a process of a former version, which has enrolled a contact since', () => {
      const complete = ({ id }: { id: number }) =>
        service.database.query(`UPDATE campaigns SET status = 'completed', completed_at = now() WHERE id = $1`, [id]);
      const completedWithWork = async () => {
        const made = await active([hello, hello]);
        const id = await contact();
        await enroll(made.path, [id]);
        await complete(made);
        return { ...made, contactId: id };
      };

      it('ends with the scheduled task, which leaves campaigns without work alone', async () => {
        const [{ path }, { path: done }] = [await completedWithWork(), await completedCampaign()];
        const events = published();
        const finished = service.app.get(FinishedCampaigns, { strict: false });
        await Promise.all([finished.reopen(), finished.reopen()]);
        expect([await statusOf(path), await statusOf(done)]).toEqual(['active', 'completed']);
        const own = events.publish.mock.calls.filter(([scope]) => scope.workspace_id === api.workspaceId);
        expect(own.map(([, name]) => name)).toEqual(['campaign.started', 'enrollments.due']);
      });

      it('ends with the scheduled task if it has got an auto_enroll, whose members are read', async () => {
        const made = await completedCampaign();
        await api.put(made.path, { auto_enroll: { list_ids: [await list([await contact()])] } });
        await complete(made);
        await service.database.query('DELETE FROM auto_enroll_passes WHERE campaign_id = $1', [made.id]);
        await service.app.get(FinishedCampaigns, { strict: false }).reopen();
        expect(await statusOf(made.path)).toBe('active');
        expect(
          await service.database.query('SELECT 1 FROM auto_enroll_passes WHERE campaign_id = $1', [made.id]),
        ).toHaveLength(1);
      });

      it('ends with a skip to another step, and not with one that ends the enrollment', async () => {
        const { path, contactId } = await completedWithWork();
        expect((await api.post(`${path}/contacts/${contactId}/skip`)).status).toBe(200);
        expect(await statusOf(path)).toBe('active');
        expect((await api.post(`${path}/contacts/${contactId}/skip`)).status).toBe(200);
        expect(await statusOf(path)).toBe('completed');
      });
    });

    it('publishes enrollments.due when an active campaign may have due enrollments', async () => {
      const { path } = await active([hello]);
      const id = await contact();
      const events = published();
      await enroll(path, [id]);
      await enroll(path, [id]);
      expect(events.count('enrollments.due')).toBe(1);
      await api.post(`${path}/pause`);
      await enroll(path, [await contact()]);
      expect(events.count('enrollments.due')).toBe(1);
      await api.post(`${path}/start`);
      expect([events.count('enrollments.due'), events.count('campaign.started')]).toEqual([2, 1]);
    });
  });

  it('removes a deleted email account from enrollments, and deletes them with their campaign', async () => {
    const { id: campaignId, path } = await active();
    const { data: sender } = await account();
    await enroll(path, [await contact()]);
    const scope = await scopeOf(api);
    await scope.execute(
      sql`UPDATE enrollments SET email_account_id = ${sender.id} WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}`,
    );
    expect((await api.delete(`/email-accounts/${sender.id}`)).status).toBe(204);
    expect(await stored(campaignId)).toMatchObject([{ status: 'pending' }]);
    await api.post(`${path}/pause`);
    expect((await api.delete(path)).status).toBe(204);
    expect(await stored(campaignId)).toEqual([]);
  });

  it('returns 403 without the permission', async () => {
    const reader = await service.client(['campaigns:read']);
    expect((await reader.post('/campaigns/1/contacts', {})).status).toBe(403);
    expect((await reader.post('/campaigns/1/contacts/enroll-from-lists', {})).status).toBe(403);
    expect((await reader.post('/campaigns/1/contacts/1/skip')).status).toBe(403);
    expect((await reader.delete('/campaigns/1/contacts/1')).status).toBe(403);
    expect((await reader.get('/campaigns/1/contacts')).status).toBe(404);
  });
});

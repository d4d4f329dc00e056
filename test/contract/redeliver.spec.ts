import type { ApiClient } from '../support/api-client.js';
import { type GivenLog, givenLogs } from '../support/given-logs.js';
import { useSharedService } from '../support/service.js';

const START = Date.now() - 3_600_000;
/** An instant of the last hour. */
const at = (second: number): string => new Date(START + second * 1_000).toISOString();

describe('POST /webhooks/{id}/redeliver', () => {
  const service = useSharedService();
  let api: ApiClient;
  let webhook: { workspace_id: number; id: number };

  beforeEach(async () => {
    api = await service.client();
    const { data } = await api.post('/webhooks', { url: 'https://127.0.0.1:44443', events: ['email.sent'] });
    webhook = { workspace_id: api.workspaceId, id: data.id };
  });

  const log = (second: number, changes: Partial<GivenLog> = {}): GivenLog => ({
    event: 'email.sent',
    status_code: 500,
    success: false,
    created_at: at(second),
    payload: { event: 'email.sent', workspace_id: api.workspaceId, data: { second } },
    ...changes,
  });
  const given = (...logs: GivenLog[]): Promise<number[]> => givenLogs(service.database, webhook, logs);
  const redeliver = (body: object, headers = {}) =>
    api.post(`/webhooks/${webhook.id}/redeliver`, { from: at(0), to: at(100), ...body }, headers);
  const waiting = async (): Promise<{ second: number; forced: boolean }[]> =>
    service.database.query(
      `SELECT (event.payload #>> '{data,second}')::int AS second, delivery.forced FROM webhook_deliveries delivery
       JOIN webhook_events event ON event.workspace_id = delivery.workspace_id AND event.id = delivery.event_id
       WHERE delivery.webhook_id = $1 ORDER BY delivery.id`,
      [webhook.id],
    );
  const seconds = async (): Promise<number[]> => (await waiting()).map(({ second }) => second);

  it('sends each delivery of the range again, its ends included, in the order of the attempts', async () => {
    await given(log(-1), log(0), log(50), log(100), log(101));
    const { status, body } = await redeliver({});
    expect([status, body]).toEqual([202, { data: { count: 3 } }]);
    expect(await waiting()).toEqual([0, 50, 100].map((second) => ({ second, forced: true })));
  });

  it('goes by the last attempt of a delivery, and takes it once', async () => {
    const ids = await given(log(1), log(2), log(3, { success: true, status_code: 200 }), log(4), log(105), log(6));
    const same = async (indexes: readonly number[]) => {
      const { rows } = { rows: indexes.map((index) => ids[index]) };
      await service.database.query(
        `UPDATE webhook_logs log SET delivery_id = first.delivery_id, attempt = 1 + log.id - first.id
         FROM webhook_logs first WHERE first.workspace_id = log.workspace_id AND log.id = ANY($1) AND first.id = $2`,
        [rows, rows[0]],
      );
    };
    await same([0, 1, 2]);
    await same([3, 4]);
    expect((await redeliver({ success: false })).data).toEqual({ count: 1 });
    expect(await seconds()).toEqual([6]);
    expect((await redeliver({ success: true })).data).toEqual({ count: 1 });
    expect(await seconds()).toEqual([6, 3]);
  });

  it('filters by event, and leaves out tests and the logs of other webhooks', async () => {
    await given(log(1), log(2, { event: 'email.opened' }), log(3, { event: 'webhook.test' }));
    const { data } = await api.post('/webhooks', { url: 'https://127.0.0.1:44443', events: ['email.sent'] });
    await givenLogs(service.database, { workspace_id: api.workspaceId, id: data.id }, [log(4)]);
    expect((await redeliver({ event: 'email.opened' })).data).toEqual({ count: 1 });
    expect((await redeliver({})).data).toEqual({ count: 2 });
    expect((await redeliver({ event: 'contact.created' })).data).toEqual({ count: 0 });
    expect(await seconds()).toEqual([2, 1]);
  });

  it('attempts a delivery that waits for its next attempt now, instead of sending it twice', async () => {
    const [id] = await given(log(1), log(2));
    await service.database.query(
      `INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id, attempts, next_attempt_at)
       SELECT workspace_id, webhook_id, event_id, event_created_at, delivery_id, 1, now() + interval '1 hour'
       FROM webhook_logs WHERE id = $1`,
      [id],
    );
    expect((await redeliver({})).data).toEqual({ count: 2 });
    expect(await seconds()).toEqual([1, 2]);
    const later = await service.database.query(
      'SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND (next_attempt_at > now() OR NOT forced)',
      [webhook.id],
    );
    expect(later).toEqual([]);
  });

  it('attempts a redelivery that waits now, instead of sending the event twice', async () => {
    const [id] = await given(log(1), log(2));
    await api.post(`/webhooks/${webhook.id}/logs/${id}/redeliver`);
    const all = await Promise.all(Array.from({ length: 3 }, () => redeliver({})));
    expect(all.map(({ data }) => data.count)).toEqual([2, 2, 2]);
    expect(await seconds()).toEqual([1, 2]);
  });

  it('counts the attempts of redeliveries as those of their delivery', async () => {
    await given(log(1), log(2), log(3));
    await redeliver({ to: at(2) });
    // The redelivery of the first one succeeds, that of the second one fails for the last time.
    for (const [second, success] of [
      [1, true],
      [2, false],
    ] as const) {
      await service.database.query(
        `WITH done AS (
           DELETE FROM webhook_deliveries delivery USING webhook_events event
           WHERE event.workspace_id = delivery.workspace_id AND delivery.webhook_id = $1 AND event.id = delivery.event_id
             AND (event.payload #>> '{data,second}')::int = $2
           RETURNING delivery.*)
         INSERT INTO webhook_logs (workspace_id, webhook_id, event, event_id, event_created_at, delivery_id,
           original_delivery_id, attempt, status_code, success, response, created_at)
         SELECT workspace_id, webhook_id, 'email.sent', event_id, event_created_at, delivery_id, original_delivery_id, 1, 500, $3,
           '', $4 FROM done`,
        [webhook.id, second, success, at(50)],
      );
    }
    expect(await seconds()).toEqual([]);
    expect((await redeliver({ success: true })).data).toEqual({ count: 1 });
    expect((await redeliver({ success: false })).data).toEqual({ count: 2 });
    expect(await seconds()).toEqual([1, 3, 2]);
    expect((await redeliver({})).data).toEqual({ count: 3 });
    expect(await seconds()).toHaveLength(3);
  });

  it('works for an inactive webhook, and once for an Idempotency-Key', async () => {
    await api.put(`/webhooks/${webhook.id}`, { is_active: false });
    await given(log(1));
    for (let n = 0; n < 2; n += 1)
      expect((await redeliver({}, { 'idempotency-key': 'again' })).body).toEqual({ data: { count: 1 } });
    expect(await seconds()).toEqual([1]);
  });

  it('refuses a range with more than 10,000 deliveries, and takes 10,000 in one statement', async () => {
    const payload = { event: 'email.sent', workspace_id: api.workspaceId, data: {} };
    const logs = Array.from({ length: 10_001 }, (_, n) => log(10 + n / 1_000, { payload }));
    await given(...logs);
    const { status, body } = await redeliver({});
    expect([status, body.errors]).toEqual([422, { to: [expect.stringContaining('10000')] }]);
    expect(await seconds()).toEqual([]);
    expect((await redeliver({ to: new Date(START + 19_999).toISOString() })).data).toEqual({ count: 10_000 });
    expect(await seconds()).toHaveLength(10_000);
  });

  it.each([
    [{ from: null }, 'from'],
    [{ to: null }, 'to'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: 5 }, 'from'],
    [{ to: at(-1) }, 'to'],
    [{ event: 'webhook.test' }, 'event'],
    [{ event: 'nothing' }, 'event'],
    [{ success: 'yes' }, 'success'],
  ])('refuses %j', async (fields, field) => {
    const { status, body } = await redeliver(fields);
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
  });

  it('does not find the webhook of another workspace', async () => {
    const other = await service.client();
    const { status } = await other.post(`/webhooks/${webhook.id}/redeliver`, { from: at(0), to: at(1) });
    expect(status).toBe(404);
  });
});

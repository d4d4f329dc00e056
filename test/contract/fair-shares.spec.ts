import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { RowLock } from '../support/row-lock.js';
import { useService } from '../support/service.js';

/** How many of a workspace's requests run at a time if no other workspace has any, with the pool of the tests. */
const MAX_RUNNING = 24;
const MAX_WAITING = 200;

describe('a workspace with many requests', () => {
  const service = useService();
  let busy: ApiClient;
  let other: ApiClient;
  let lock: RowLock | undefined;

  beforeEach(async () => {
    busy = await service.client();
    other = await service.client();
  });
  afterEach(() => lock?.release());

  /** Sends requests that wait until the lock is released. */
  async function sendBlocked(count: number): Promise<Promise<ApiResponse>[]> {
    const { id } = await new Given(busy, service.database).contact({});
    lock = await RowLock.acquire(service.database, 'SELECT FROM contacts WHERE id = $1 FOR UPDATE', [id]);
    return Array.from({ length: count }, (_, index) => busy.put(`/contacts/${id}`, { first_name: `A${index}` }));
  }

  it('does not make the requests of another workspace wait for its database connections', async () => {
    let ended = 0;
    const blocked = (await sendBlocked(40)).map((request) => request.finally(() => ended++));
    await lock?.waitedFor(6);
    const contact = await new Given(other, service.database).contact({});
    expect((await other.put(`/contacts/${contact.id}`, { first_name: 'Ada' })).status).toBe(200);
    expect((await other.get('/contacts?search=Ada')).data).toHaveLength(1);
    expect(ended).toBe(0);
    await lock?.release();
    expect((await Promise.all(blocked)).map(({ status }) => status)).toEqual(blocked.map(() => 200));
  });

  it('gets 429 with the reason busy for requests beyond those that may wait', async () => {
    const refused: ApiResponse[] = [];
    const requests = (await sendBlocked(MAX_RUNNING + MAX_WAITING + 3)).map(async (request) => {
      const response = await request;
      if (response.status === 429) refused.push(response);
      return response.status;
    });
    await eventually(() => expect(refused).toHaveLength(3));
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ error: 'TooManyRequests', code: 429, errors: null, reason: 'busy' });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await other.get('/contacts')).status).toBe(200);
    await lock?.release();
    const statuses = await Promise.all(requests);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_RUNNING + MAX_WAITING);
  });
});

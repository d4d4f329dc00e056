import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

/** That of `worker-session.ts`. */
const WORKER_LOCKS = 1_795_200;

describe('a message whose lease a connected worker could not renew for minutes, because a node was away', () => {
  let session: pg.Client;
  // Before the service drops the database of the session.
  afterAll(() => session.end());
  const service = useService();
  const worker = randomUUID();
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    session = new pg.Client({ connectionString: service.database.url });
    await session.connect();
    await session.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [WORKER_LOCKS, worker]);
    api = await service.client();
    given = new Given(api, service.database);
    await service.startWorker();
  });

  async function leased(): Promise<number> {
    const { id } = await given.sentMessage((await given.contact()).id);
    await given.unrecorded(id, 'queued', worker);
    await service.database.query(
      `UPDATE queued_messages SET lease_until = now() - interval '2 minutes', updated_at = now() - interval '3 minutes'
       WHERE workspace_id = $1 AND id = $2`,
      [api.workspaceId, id],
    );
    return id;
  }

  async function message(id: number): Promise<{ owner: string | null; updated_at: Date; is_noted: boolean }> {
    const [row] = await service.database.query<{ owner: string | null; updated_at: Date; is_noted: boolean }>(
      `SELECT leased_by AS owner, updated_at, updated_at > lease_until AS is_noted FROM queued_messages
       WHERE workspace_id = $1 AND id = $2`,
      [api.workspaceId, id],
    );
    if (!row) throw new Error(`Message ${id} is not in the queue.`);
    return row;
  }

  it('is taken after ten seconds, and not if the worker renews it within them', async () => {
    const [renewed, stalled] = [await leased(), await leased()];
    await eventually(async () => expect(await message(renewed)).toMatchObject({ owner: worker, is_noted: true }));
    await eventually(async () => expect(await message(stalled)).toMatchObject({ owner: worker, is_noted: true }));
    const { updated_at: noted } = await message(stalled);
    await service.database.query(
      `UPDATE queued_messages SET lease_until = now() + interval '1 hour' WHERE workspace_id = $1 AND id = $2`,
      [api.workspaceId, renewed],
    );
    await eventually(async () => expect((await message(stalled)).owner).not.toBe(worker));
    expect((await message(stalled)).updated_at.getTime() - noted.getTime()).toBeGreaterThanOrEqual(10_000);
    expect((await message(renewed)).owner).toBe(worker);
  });
});

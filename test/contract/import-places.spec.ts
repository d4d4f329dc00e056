import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { startService, type TestService, useService } from '../support/service.js';

const MAX_CONCURRENT = 3;
const IMPORTS_PER_PROCESS = 6;

describe('imports in several processes on one database', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let second: TestService;
  let lock: BlockingTransaction | undefined;
  beforeAll(async () => {
    second = await startService({}, service.database);
  });
  afterEach(() => lock?.end());
  afterAll(() => second.stop());

  const clients = (count: number): Promise<ApiClient[]> =>
    Promise.all(Array.from({ length: count }, () => service.client()));
  const inSecond = ({ token, workspaceId }: ApiClient): ApiClient => new ApiClient(second.url, token, workspaceId);

  /** Makes the imports of workspaces wait after they have started, for the lock that adding a custom field takes. */
  const block = (apis: readonly ApiClient[]): Promise<BlockingTransaction> =>
    BlockingTransaction.begin(
      service.database,
      `SELECT pg_advisory_xact_lock(hashtextextended('custom_fields', id)) FROM unnest($1::bigint[]) id`,
      [apis.map(({ workspaceId }) => workspaceId)],
    );

  const importOne = (api: ApiClient): Promise<ApiResponse> => {
    const form = new FormData();
    form.set('file', new Blob(['email,custom_fields.a\nada@example.com,x\n']), 'contacts.csv');
    return api.post('/contacts/import', form);
  };

  it('run one at a time for a workspace, and one that waits uses no connection', async () => {
    const [busy, other] = (await clients(2)) as [ApiClient, ApiClient];
    lock = await block([busy]);
    const first = importOne(busy);
    await lock.blocks(1);
    let hasEnded = false;
    const next = importOne(inSecond(busy)).finally(() => (hasEnded = true));
    for (const api of [other, inSecond(other)]) expect((await importOne(api)).status).toBe(200);
    await lock.blocks(1);
    expect(hasEnded).toBe(false);
    await lock.end();
    expect((await Promise.all([first, next])).map(({ data }) => data.imported)).toEqual([1, 0]);
  });

  it('have three places in all, and every import gets one', async () => {
    const busy = await clients(MAX_CONCURRENT);
    const [other] = (await clients(1)) as [ApiClient];
    lock = await block(busy);
    let ended = 0;
    const imports = busy
      .flatMap((api) => [api, inSecond(api)])
      .flatMap((api) => Array.from({ length: IMPORTS_PER_PROCESS }, () => importOne(api).finally(() => (ended += 1))));
    await lock.blocks(MAX_CONCURRENT);
    const waiting = importOne(other);
    for (const api of [...busy, other]) expect((await api.get('/contacts')).data).toHaveLength(0);
    await lock.blocks(MAX_CONCURRENT);
    expect(ended).toBe(0);
    await lock.end();
    for (const response of await Promise.all([waiting, ...imports])) expect(response.status).toBe(200);
  });

  it('free the place of a process that dies', async () => {
    const [api] = (await clients(1)) as [ApiClient];
    lock = await block([api]);
    const lost = importOne(api);
    await lock.blocks(1);
    const next = importOne(inSecond(api));
    await lock.endBlocked();
    await lock.end();
    expect((await lost).status).toBeGreaterThanOrEqual(500);
    expect((await next).data).toMatchObject({ imported: 1 });
  });
});

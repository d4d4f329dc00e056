import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';
import { loadClient } from './client-package.js';

const FILE = 'E-mail,Name,Town\nada@acme.example,Ada,Paris\nbob(at)acme.example,Bob,Rome\n';
const MAPPING = { email: 'E-mail', first_name: 'Name', 'custom_fields.city': 'Town' };

const service = useService();
let outreach: any;
let api: ApiClient;
let client: any;

beforeAll(async () => {
  outreach = await loadClient();
});
beforeEach(async () => {
  api = await service.client();
  client = outreach.createClient({ baseUrl: service.url, token: api.token });
});

describe('importContacts', () => {
  it('sends a file, and returns the import when it has ended', async () => {
    await service.startWorker();
    const tag = (await api.post('/tags', { name: 'Fair' })).data;
    const states: string[] = [];
    const done = await client.importContacts(new File([FILE], 'fair.csv'), MAPPING, {
      tags: [tag.id],
      pollIntervalMs: 20,
      onProgress: ({ status }: { status: string }) => states.push(status),
    });
    expect(done).toMatchObject({ status: 'completed', file_name: 'fair.csv', total: 2, imported: 1, failed: 1 });
    expect(done.errors).toMatchObject([{ row: 3, field: 'email', column: 'E-mail' }]);
    expect(states.at(-1)).toBe('completed');
    const [contact] = (await api.get('/contacts')).data;
    expect(contact).toMatchObject({ first_name: 'Ada', custom_fields: { city: 'Paris' }, tags: [{ id: tag.id }] });
  });

  it('does an import with the same key once', async () => {
    await service.startWorker();
    const options = { idempotencyKey: 'fair-2026', pollIntervalMs: 20 };
    const first = await client.importContacts(FILE, MAPPING, options);
    expect(await client.importContacts(FILE, MAPPING, options)).toEqual(first);
  });

  it('throws an ApiError that names a column which the file does not have', async () => {
    await expect(client.importContacts(FILE, { email: 'Mail' })).rejects.toMatchObject({
      status: 422,
      errors: { 'mapping.email': [expect.stringContaining('Its columns are "E-mail"')] },
    });
  });

  it('ends its waiting with the reason of the signal', async () => {
    const controller = new AbortController();
    const waiting = client.importContacts(FILE, MAPPING, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(waiting).rejects.toThrow('enough');
  });
});

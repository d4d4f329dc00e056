import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';

const run = promisify(execFile);
const PAGE = join(import.meta.dirname, '../../docs/moving-here.md');

/** The commands of the page, in their order. */
const commands = (): string =>
  [...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command]) => command).join('\n');

describe('The commands of docs/moving-here.md', () => {
  const service = useSharedService();
  let api: ApiClient;
  let folder: string;
  let output: string;
  beforeAll(async () => {
    api = await service.client();
    folder = mkdtempSync(join(tmpdir(), 'outreach-moving-'));
    const env = { PATH: process.env.PATH, OUTREACH_URL: api.url, OUTREACH_TOKEN: api.token };
    output = (await run('bash', ['-e', '-o', 'pipefail', '-c', commands()], { cwd: folder, env })).stdout;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const statusOf = async (name: string) => (await api.get(`/contacts/by-email/${name}@harbour.example`)).data.status;

  it('import who is out with the status and the date, and the others as active', async () => {
    const statuses = await Promise.all(['ada', 'ben', 'cleo', 'dan', 'eva', 'fay'].map(statusOf));
    const [out, active] = ['unsubscribed', 'active'];
    expect(statuses).toEqual([out, out, 'bounced', 'complained', active, out]);
    const { data } = await api.get('/contacts?email=Ada@harbour.example');
    expect(data).toMatchObject([{ first_name: 'Ada', unsubscribed_at: '2024-05-01T09:30:12.000Z' }]);
  });

  it('show how many contacts have each status', () => {
    expect(output).toContain('active "total":1\nunsubscribed "total":3\nbounced "total":1\ncomplained "total":1\n');
  });

  it('leave no contact to enroll that is out', async () => {
    const { data: contacts } = await api.get('/contacts');
    const campaign = await new Given(api, service.database).campaign();
    const ids = contacts.map(({ id }: { id: number }) => id);
    const { data } = await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: ids });
    expect(data).toMatchObject({ enrolled: 1, skipped: 5 });
  });
});

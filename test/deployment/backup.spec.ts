import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { freePort, outreach, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/installation.md'), 'utf8');

/** @returns the commands of a section of the document, in their order */
function commandsOf(section: string): string[] {
  const text = DOCUMENT.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

function run(commands: string | undefined, cwd: string, env: Record<string, string>): void {
  const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', commands ?? 'false'], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
}

describe('the commands of docs/installation.md', () => {
  const [dump, pack] = commandsOf('Back up');
  const [restore, unpack] = commandsOf('Restore');
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'outreach-backup-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  describe('with a PostgreSQL of its own', () => {
    let service: TestService;
    let restored: TestDatabase;
    let sink: MailSink;
    beforeAll(async () => {
      service = await startService();
      restored = await createTestDatabase('template1');
      sink = await MailSink.start();
    });
    afterAll(async () => {
      await sink.stop();
      await service.stop();
      await restored.drop();
    });

    it('restore a backup in the middle of a campaign, which is paused and then goes on', async () => {
      const api = await service.client();
      const given = new Given(api, service.database);
      await given.mailbox(sink);
      const { id } = await given.running(await given.contacts(20));
      run(dump, folder, { DATABASE_URL: service.database.url });
      run(restore, folder, { RESTORED_DATABASE_URL: restored.url });

      const second = await startService({}, restored);
      await second.startWorker();
      const client = new ApiClient(second.url, api.token, api.workspaceId);
      expect((await client.get(`/campaigns/${id}`)).data).toMatchObject({ status: 'paused', contacts_count: 20 });
      expect(sink.mails).toEqual([]);
      expect((await client.post(`/campaigns/${id}/start`)).status).toBe(200);
      await eventually(() => expect(sink.mails).toHaveLength(20));
      await second.stop();
    });
  });

  it('restore the data directory of an embedded PostgreSQL, with its key', async () => {
    const [DATA_DIR, RESTORED_DATA_DIR] = [mkdtempSync(join(folder, 'a-')), mkdtempSync(join(folder, 'b-'))];
    spawnSync('chmod', ['-R', 'a+rwx', folder]);
    expect(await outreach(['migrate'], { DATA_DIR })).toMatchObject({ code: 0 });
    const created = await outreach(['workspace', 'create', '--name', 'Acme', '--json'], { DATA_DIR });
    expect(created).toMatchObject({ code: 0 });
    run(pack, folder, { DATA_DIR });
    run(unpack, folder, { RESTORED_DATA_DIR });
    rmSync(DATA_DIR, { recursive: true });
    const server = await OutreachProcess.serve({ DATA_DIR: RESTORED_DATA_DIR, PORT: await freePort() });
    expect(await server.stop()).toMatchObject({ code: 0 });
    const listed = await outreach(['workspace', 'list', '--json'], { DATA_DIR: RESTORED_DATA_DIR });
    expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ name: 'Acme' })]);
  });
});

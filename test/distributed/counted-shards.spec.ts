import { writeFileSync } from 'node:fs';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { NodeCommands } from '../support/node-commands.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase } from '../support/test-database.js';

describe('statements', () => {
  let service: TestService;
  let sink: MailSink;
  let commands: NodeCommands;
  beforeAll(async () => {
    const database = await createTestDatabase();
    commands = await NodeCommands.of(database);
    service = await startService({}, database);
    sink = await MailSink.start();
    await service.startWorker();
  });
  afterAll(async () => {
    const rows = commands.statements.map((statement) => ({ ...statement, places: commands.placesOf(statement).size }));
    writeFileSync('/tmp/scale-statements.json', JSON.stringify(rows));
    commands.stop();
    await service.stop();
    await service.database.drop();
    await sink.stop();
  });
  it('go to one shard', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const contacts = await given.contacts(20, 'a');
    const campaign = await given.running(contacts);
    await eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'), 60);
  });
});

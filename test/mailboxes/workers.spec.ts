import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { Dovecot } from '../support/dovecot.js';
import { eventually } from '../support/eventually.js';
import { WorkerProcesses } from '../support/service-process.js';
import { useService } from '../support/service.js';
import { givenSentMessage, mailOf, readAccount, replyTo, type SentMessage } from './fixture.js';

const MAILS = 400;
const MANY = 100_000;
const MAX_HEAP_MB = 160;

describe('workers that read mailboxes', () => {
  const service = useService({ MAILBOX_POLL_SECONDS: '1' });
  const workers = new WorkerProcesses(service, {
    MAILBOX_POLL_SECONDS: '1',
    // A process that kept what it reads would end with an error.
    NODE_OPTIONS: `--max-old-space-size=${MAX_HEAP_MB}`,
  });
  let dovecot: Dovecot;
  let api: ApiClient;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
  });
  afterAll(async () => {
    await workers.stop();
    await dovecot.stop();
  });
  beforeEach(async () => {
    api = await service.client();
  });

  const givenAccount = async (user: string): Promise<Schema<'EmailAccount'>> =>
    (await api.post('/email-accounts', readAccount(dovecot.account(user)))).data;
  const count = async (query: string, values: unknown[]): Promise<number> => {
    const [row] = await service.database.query<{ count: string }>(query, values);
    return Number(row?.count);
  };
  const repliesOf = (workspaceId: number) =>
    count('SELECT count(*) FROM replies WHERE workspace_id = $1', [workspaceId]);
  const cursorOf = (id: number) =>
    count(
      `SELECT coalesce(max(last_uid), 0) AS count FROM mailbox_cursors WHERE email_account_id = $1 AND folder = 'inbox'`,
      [id],
    );

  it('record each mail once, although one of them is killed while it reads', async () => {
    const account = await givenAccount('killed');
    const sent: SentMessage[] = [];
    for (let n = 0; n < 8; n += 1) sent.push(await givenSentMessage(service, api, account.id));
    const mails = sent.flatMap((message) =>
      Array.from({ length: MAILS / 8 }, (_, n) => replyTo(message, `Reply ${n}`)),
    );
    await dovecot.deliver('killed', mails);
    // However late the worker is killed, the replies to the last message are not recorded yet.
    const lock = 'SELECT 1 FROM messages WHERE id = $1 FOR UPDATE';
    const locks = await BlockingTransaction.begin(service.database, lock, [sent.at(-1)?.id]);
    await workers.run(2);
    await eventually(async () => expect(await repliesOf(api.workspaceId)).toBeGreaterThan(20));
    await workers.kill();
    expect(await repliesOf(api.workspaceId)).toBeLessThan(MAILS);
    await locks.end();
    await workers.run(2);
    await eventually(async () => expect(await repliesOf(api.workspaceId)).toBe(MAILS));
    await eventually(async () => expect(await cursorOf(account.id)).toBe(MAILS));
    expect(await dovecot.unseen('killed')).toBe(MAILS);
  });

  it('read a mailbox of 100,000 mails in bounded memory', async () => {
    const account = await givenAccount('large');
    const sent = await givenSentMessage(service, api, account.id);
    await dovecot.fill('large', mailOf('a@private.example', { 'User-Agent': 'Mail' }), MANY);
    await dovecot.deliver('large', [replyTo(sent)]);
    await workers.run(1);
    await eventually(async () => expect(await repliesOf(api.workspaceId)).toBe(1));
    await eventually(async () => expect(await cursorOf(account.id)).toBe(MANY + 1));
  });
});

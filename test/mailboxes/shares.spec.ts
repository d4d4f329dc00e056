import type { ApiClient } from '../support/api-client.js';
import { Dovecot } from '../support/dovecot.js';
import { eventually } from '../support/eventually.js';
import { FaultyImapServer, silent } from '../support/faulty-imap-server.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';
import { readAccount } from './fixture.js';

const MAILBOXES = 500;
/** Enough to occupy the places that one workspace may have. */
const READING = 100;
const AT_ONCE = 10;

describe('mailboxes of several workspaces', () => {
  trustReceivers();
  const service = useService();
  let dovecot: Dovecot;
  let dead: FaultyImapServer;
  beforeAll(async () => {
    dovecot = await Dovecot.start();
    dead = await FaultyImapServer.start({ greeting: silent });
  });
  afterAll(() => Promise.all([dovecot.stop(), dead.stop()]));

  const create = async (api: ApiClient, fields: object): Promise<number> => {
    const { status, data } = await api.post('/email-accounts', readAccount(fields));
    expect(status).toBe(201);
    return data.id;
  };

  it('are shared fairly: the mailbox of one is read while 500 of another, whose server is silent, are due', async () => {
    const login = { imap_password: 'not used', imap_encryption: 'ssl' };
    const [many, one] = [await service.client(), await service.client()];
    for (let n = 0; n < MAILBOXES; n += AT_ONCE) {
      const users = Array.from({ length: AT_ONCE }, (_, index) => `user${n + index}`);
      await Promise.all(
        users.map((imap_username) =>
          create(many, { ...login, imap_host: '127.0.0.1', imap_port: dead.port, imap_username }),
        ),
      );
    }
    await service.startWorker();
    await eventually(() => expect(dead.connections).toBeGreaterThan(READING));
    const id = await create(one, dovecot.account('alone'));
    await eventually(async () =>
      expect((await one.get(`/email-accounts/${id}`)).data.mailbox_read_at).toEqual(expect.any(String)),
    );
    expect(dead.connections).toBeLessThan(MAILBOXES);
  });
});

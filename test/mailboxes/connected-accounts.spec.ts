import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Dovecot } from '../support/dovecot.js';
import { eventually } from '../support/eventually.js';
import { givenConnectedAccount } from '../support/given-connected-account.js';
import { startService, type TestService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';
import { givenSentMessage, replyTo } from './fixture.js';

const ADDRESS = 'anna@mail.example';

describe('reading mailboxes of Google and Microsoft', () => {
  trustReceivers();
  let dovecot: Dovecot;
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
    const hosts = `127.0.0.1:1,127.0.0.1:${dovecot.port}`;
    service = await startService({ MAILBOX_POLL_SECONDS: '1', GOOGLE_MAIL_HOSTS: hosts, MICROSOFT_MAIL_HOSTS: hosts });
    await service.startWorker();
  });
  afterAll(async () => {
    await service.stop();
    await dovecot.stop();
  });
  beforeEach(async () => {
    api = await service.client();
  });

  const accountNow = async ({ id }: Schema<'EmailAccount'>): Promise<Schema<'EmailAccount'>> =>
    (await api.get(`/email-accounts/${id}`)).data;

  it.each(['google', 'microsoft'] as const)(
    'logs in to %s with an access token, and records a reply',
    async (provider) => {
      const address = `${provider}.${ADDRESS}`;
      const token = dovecot.accessToken(address);
      const account = await givenConnectedAccount(service, api, { provider, address, access_token: token });
      expect(account).toMatchObject({ reads_mailbox: true, mailbox_read_at: null });
      const sent = await givenSentMessage(service, api, account.id);
      await dovecot.deliver(address, [replyTo(sent, 'Yes, by IMAP.')]);
      await eventually(async () => {
        expect((await api.get('/replies')).data).toMatchObject([
          { text: 'Yes, by IMAP.', message_id: sent.message_id },
        ]);
      });
      await eventually(async () => expect((await accountNow(account)).mailbox_read_at).not.toBeNull());
      expect(await dovecot.unseen(address)).toBe(1);
    },
  );
});

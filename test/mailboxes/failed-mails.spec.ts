import { register } from 'prom-client';
import { ImapSessions, Mailboxes } from '../../src/email-accounts/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { completes, drops, FaultyImapServer, type ImapReply, refuses, silent } from '../support/faulty-imap-server.js';
import { type BadMails, imapMailbox } from '../support/imap-mailbox.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { useService } from '../support/service.js';
import { trustReceivers } from '../support/webhook-receiver.js';
import { givenSentMessage, mailOf, readAccount, replyTo, type SentMessage } from './fixture.js';

const PASSWORD = 'the password';
/** More than a slow machine needs for a command. */
const COMMAND_MS = 2_000;
/** Which fetches contain a body. */
const ofBodies = (command: string): boolean => command.includes('BODY.PEEK[]');
const ofAll = (): boolean => true;

const declaresTooMuch: ImapReply = (socket) => socket.write('* 2 FETCH (UID 2 BODY[]<0> {2147483648}\r\n');
/** Without an end: what is complete before it is measured counts as what was asked for. */
const sendsTooMuch: ImapReply = (socket) =>
  socket.write(`* 2 FETCH (UID 2 BODY[]<0> {1000000}\r\n${'x'.repeat(1_000_000)})\r\n`);

describe('mails that a mailbox does not give', () => {
  trustReceivers();
  const service = useService({ MAILBOX_POLL_SECONDS: '1' });
  let server: FaultyImapServer;
  let api: ApiClient;
  let account: Schema<'EmailAccount'>;

  beforeAll(() => service.startWorker());
  beforeEach(async () => {
    server = await FaultyImapServer.start(imapMailbox([]));
    api = await service.client();
    const imap = { imap_host: '127.0.0.1', imap_port: server.port, imap_encryption: 'ssl' };
    account = (
      await api.post('/email-accounts', readAccount({ ...imap, imap_username: 'sales', imap_password: PASSWORD }))
    ).data;
  });
  afterEach(() => server.stop());

  const given = () => givenSentMessage(service, api, account.id);
  const current = async (): Promise<Schema<'EmailAccount'>> => (await api.get(`/email-accounts/${account.id}`)).data;
  const repliedAt = async ({ campaign }: SentMessage): Promise<string | null> =>
    (await api.get(`/campaigns/${campaign.id}/messages`)).data[0].replied_at;
  const isReplied = (sent: SentMessage) => eventually(async () => expect(await repliedAt(sent)).not.toBeNull());
  /** The numbers of the mails that the events name. */
  const skipped = async (): Promise<number[]> =>
    (await api.get('/events?event=email_account.mail_skipped')).data
      .map(({ data }: { data: Schema<'EmailAccount'> }) =>
        Number(/^The mail (\d+) in /.exec(data.last_error ?? '')?.[1]),
      )
      .sort();
  /** What this process has counted. */
  const counted = async (): Promise<number> =>
    new ScrapedMetrics(await register.metrics()).value('outreach_mailbox_mails_failed_total') ?? 0;
  const reading = async () =>
    (
      await service.database.query<{ failures: number; is_due: boolean; is_leased: boolean }>(
        `SELECT failures, next_read_at <= now() AS is_due, leased_by IS NOT NULL AS is_leased FROM mailbox_readings
         WHERE email_account_id = $1`,
        [account.id],
      )
    )[0];
  /** The mailbox is read again in an hour, and its failed mails are, as after many failures. No run is in progress. */
  const pause = async () => {
    const update = () =>
      service.database.query(
        `UPDATE mailbox_readings SET next_read_at = now() + interval '1 hour', failures = 20, last_error = 'refused'
         WHERE email_account_id = $1`,
        [account.id],
      );
    await update();
    await eventually(async () => expect(await reading()).toMatchObject({ is_leased: false }));
    await update();
    await service.database.query(
      `UPDATE failed_mails SET next_try_at = now() + interval '1 hour' WHERE email_account_id = $1`,
      [account.id],
    );
  };
  const PAUSED = { failures: 20, is_due: false };
  interface StoredMail {
    readonly folder?: 'inbox' | 'junk';
    readonly uid: number;
    readonly tries?: number;
    /** Since when it has failed. */
    readonly days?: number;
    /** When it is tried again. */
    readonly hours: number;
  }
  /** Inserts a mail that could not be read. */
  const noteFailed = ({ folder = 'inbox', uid, tries = 1, days = 0, hours }: StoredMail) =>
    service.database.query(
      `INSERT INTO failed_mails (workspace_id, email_account_id, folder, uid_validity, uid, tries, error, failed_at, next_try_at)
       VALUES ($1, $2, $3, 1, $4, $5, 'bad', now() - make_interval(days => $6), now() + make_interval(hours => $7))`,
      [api.workspaceId, account.id, folder, uid, tries, days, hours],
    );
  const failed = () =>
    service.database.query<{ uid: string; tries: number }>(
      'SELECT uid, tries FROM failed_mails WHERE email_account_id = $1 ORDER BY uid',
      [account.id],
    );

  it.each<[string, BadMails, (command: string) => boolean]>([
    ['refused', { 2: refuses('[SERVERBUG] Internal error') }, ofAll],
    ['refused after its header', { 2: refuses('[SERVERBUG] Internal error') }, ofBodies],
    ['announced with 2 GB', { 2: declaresTooMuch }, ofBodies],
    ['sent with more bytes than were asked for', { 2: sendsTooMuch }, ofAll],
    ['the end of the connection', { 2: drops }, ofAll],
    ['refused, like the ones beside it', { 1: refuses('no'), 2: drops, 3: refuses('no') }, ofAll],
    ['refused, like most', Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((uid) => [uid, refuses('no')])), ofAll],
  ])('do not end the reading of others: one is %s', async (_what, bad, isBad) => {
    const before = await counted();
    const sent = await given();
    const mails = Array.from({ length: 7 }, () => replyTo(sent));
    const answered = await given();
    server.behaviour = imapMailbox([...mails, replyTo(answered)], bad, isBad);
    await isReplied(answered);
    await eventually(async () =>
      expect((await current()).last_error).toMatch(/The mail \d in the folder INBOX could not be read/),
    );
    const numbers = Object.keys(bad).map(Number);
    await eventually(async () => expect(await skipped()).toEqual(numbers));
    await eventually(async () => expect((await counted()) - before).toBe(numbers.length));
    expect((await current()).is_active).toBe(true);
  });

  it('are read when the server gives them, after which nothing is wrong', async () => {
    const [late, answered] = [await given(), await given()];
    const mails = [mailOf('a@private.example', {}), replyTo(late), replyTo(answered)];
    server.behaviour = imapMailbox(mails, { 2: refuses('[SERVERBUG] Internal error') });
    await isReplied(answered);
    await eventually(async () => expect(await skipped()).toEqual([2]));
    expect(await repliedAt(late)).toBeNull();
    await pause();
    server.behaviour = imapMailbox(mails);
    await api.post(`/email-accounts/${account.id}/test`);
    await isReplied(late);
    await eventually(async () => expect((await current()).last_error).toBeNull());
  });

  it('do not end the reading of others: one takes longer than a command may', async () => {
    const open = Reflect.get(ImapSessions.prototype, 'open');
    jest.spyOn(ImapSessions.prototype, 'open').mockImplementation(function (this: ImapSessions, scope, mailbox) {
      return open.call(this, scope, mailbox, { commandTimeoutMs: COMMAND_MS });
    });
    try {
      const [late, answered] = [await given(), await given()];
      server.behaviour = imapMailbox([replyTo(answered), replyTo(late), replyTo(answered)], { 2: silent });
      await isReplied(answered);
      await eventually(async () => expect(await skipped()).toEqual([2]));
      expect(await repliedAt(late)).toBeNull();
    } finally {
      ImapSessions.prototype.open = open;
    }
  });

  it.each<[string, ImapReply]>([
    ['is not listed any more', completes('* LIST (\\HasNoChildren) "/" INBOX')],
    ['cannot be opened', completes('* LIST (\\HasNoChildren) "/" INBOX', '* LIST (\\Junk) "/" Junk')],
  ])('of the inbox are tried again while the junk folder, which has others, %s', async (_what, list) => {
    const [late, answered] = [await given(), await given()];
    const mails = [replyTo(answered), replyTo(late)];
    const behaviour = (bad: BadMails) => {
      const mailbox = imapMailbox(mails, bad);
      const examine: ImapReply = (...command) =>
        (command[2].includes('Junk') ? refuses('[SERVERBUG] Internal error') : mailbox.EXAMINE)?.(...command);
      return { ...mailbox, LIST: list, EXAMINE: examine };
    };
    for (const uid of [1, 2, 3]) await noteFailed({ folder: 'junk', uid, hours: -24 });
    server.behaviour = behaviour({ 2: refuses('[SERVERBUG] Internal error') });
    await isReplied(answered);
    await eventually(async () => expect((await failed()).filter(({ uid }) => Number(uid) === 2)).toHaveLength(2));
    server.behaviour = behaviour({});
    await isReplied(late);
  });

  it('are deleted after 7 days if that was published, or if their folder does not exist any more', async () => {
    await noteFailed({ uid: 11, tries: 3, days: 8, hours: 1 });
    await noteFailed({ uid: 12, tries: 2, days: 8, hours: 1 });
    await noteFailed({ uid: 13, tries: 3, days: 6, hours: 1 });
    await noteFailed({ uid: 14, folder: 'junk', days: 8, hours: 1 });
    await noteFailed({ uid: 15, folder: 'junk', days: 6, hours: 1 });
    await eventually(async () => expect((await failed()).map(({ uid }) => Number(uid))).toEqual([12, 13, 15]));
  });

  it('are left alone by the run after one that was killed before it could save how far it had read', async () => {
    await noteFailed({ uid: 2, hours: 1 });
    const [late, answered] = [await given(), await given()];
    const mails = [mailOf('a@private.example', {}), replyTo(late), replyTo(answered)];
    server.behaviour = imapMailbox(mails, { 2: refuses('[SERVERBUG] Internal error') });
    await isReplied(answered);
    expect((await failed()).map(({ tries }) => tries)).toEqual([1]);
  });

  it('are not those that the database could not store: the run fails, and the next one reads them', async () => {
    const sent = await given();
    const lock = 'SELECT 1 FROM messages WHERE id = $1 FOR UPDATE';
    const blocking = await BlockingTransaction.begin(service.database, lock, [sent.id]);
    server.behaviour = imapMailbox([replyTo(sent), replyTo(sent)]);
    await blocking.blocks(1);
    await service.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await eventually(async () =>
      expect((await current()).last_error).toBe('The service could not read the mailbox. It tries again.'),
    );
    expect(await failed()).toEqual([]);
    await blocking.end();
    await isReplied(sent);
  });

  it('do not end their pause by what the service does because of a failed run: it makes the account inactive', async () => {
    await noteFailed({ uid: 9, hours: 1 });
    await pause();
    const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    await service.app.get(Mailboxes, { strict: false }).deactivate(scope, account.id, 'login_refused', 'refused');
    expect(await reading()).toMatchObject(PAUSED);
    expect(await current()).toMatchObject({ is_active: false, last_error: 'refused' });
    await api.put(`/email-accounts/${account.id}`, { is_active: true });
    expect(await reading()).toMatchObject({ failures: 0 });
  });

  it('are all read after a time in which the server gives none', async () => {
    const sent: SentMessage[] = [];
    for (let n = 0; n < 5; n += 1) sent.push(await given());
    server.behaviour = {
      ...imapMailbox(sent.map((each) => replyTo(each))),
      'UID FETCH': refuses('[UNAVAILABLE] later'),
    };
    await eventually(async () => expect((await current()).last_error).toMatch(/later \(UNAVAILABLE\)/));
    server.behaviour = imapMailbox(sent.map((each) => replyTo(each)));
    for (const each of sent) await isReplied(each);
    await eventually(async () => expect((await current()).last_error).toBeNull());
  });

  it('are not what is wrong if the server refuses the folder: `last_error` says so until it is read', async () => {
    server.behaviour = { ...imapMailbox([]), EXAMINE: refuses('[SERVERBUG] Internal error') };
    await eventually(async () => expect((await current()).last_error).toMatch(/Internal error \(SERVERBUG\)/));
    const { data } = await api.post(`/email-accounts/${account.id}/test`);
    expect(data.message).toMatch(/IMAP: The login works\. When the mailbox was read last: .*SERVERBUG/);
    server.behaviour = imapMailbox([]);
    await eventually(async () => expect((await current()).last_error).toBeNull());
  });

  it.each<[string, object, object]>([
    ['IMAP password', {}, { imap_password: 'another' }],
    ['SMTP password', { imap_password: null }, { smtp_password: 'another' }],
  ])('do not make a mailbox wait that gets a new %s', async (_which, before, change) => {
    await api.put(`/email-accounts/${account.id}`, before);
    await eventually(async () => expect((await current()).mailbox_read_at).not.toBeNull());
    await pause();
    expect(await reading()).toMatchObject(PAUSED);
    const sent = await given();
    server.behaviour = imapMailbox([replyTo(sent)]);
    await api.put(`/email-accounts/${account.id}`, change);
    await isReplied(sent);
  });

  it('do not make a mailbox wait whose password is changed while the server considers the old one', async () => {
    let refuse: (() => void) | undefined;
    const mailbox = imapMailbox([]);
    const waits: ImapReply = (socket, tag) => {
      refuse = () => refuses('[AUTHENTICATIONFAILED] wrong')(socket, tag, '');
    };
    server.behaviour = { ...mailbox, credentials: waits };
    await eventually(() => expect(refuse).toBeDefined());
    await api.put(`/email-accounts/${account.id}`, { imap_password: 'another' });
    await service.database.query('UPDATE mailbox_readings SET failures = 20 WHERE email_account_id = $1', [account.id]);
    const sent = await given();
    server.behaviour = imapMailbox([replyTo(sent)]);
    refuse?.();
    await isReplied(sent);
  });
});

describe('the metric of mailboxes', () => {
  const service = useService();

  it('counts those that are read, those whose last run has failed, and those with mails that cannot be read', async () => {
    const api = await service.client();
    const givenMailbox = async (): Promise<number> =>
      (await api.post('/email-accounts', readAccount({ imap_host: 'imap.sender.example' }))).data.id;
    await givenMailbox();
    const [failing, incomplete] = [await givenMailbox(), await givenMailbox()];
    await service.database.query('UPDATE mailbox_readings SET failures = 1 WHERE email_account_id = $1', [failing]);
    await service.database.query(
      `INSERT INTO failed_mails (workspace_id, email_account_id, folder, uid_validity, uid, error, next_try_at)
       SELECT $1, account, 'inbox', 1, 1, 'bad', now() FROM unnest($2::bigint[]) account`,
      [api.workspaceId, [failing, incomplete]],
    );
    const metrics = await eventually(async () => {
      const scraped = await ScrapedMetrics.of(service.url);
      expect(scraped.valuesOf('outreach_mailboxes')).not.toEqual([]);
      return scraped;
    });
    const states = metrics.valuesOf('outreach_mailboxes').map(({ labels, value }) => [labels.state, value]);
    expect(Object.fromEntries(states)).toEqual({ read: 1, failing: 1, incomplete: 1 });
  });
});

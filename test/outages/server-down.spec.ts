import { eventually } from '../support/eventually.js';
import { FaultyMailServer } from '../support/faulty-mail-server.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const MESSAGES = 200;
const MINUTES = 60;
const CONNECTIONS_PER_ACCOUNT = 5;
/** Open for one minute, three days from now. */
const CLOSED = {
  timezone: 'UTC',
  days: [new Date(Date.now() + 3 * 86_400_000).getUTCDay() || 7],
  start: '12:00',
  end: '12:01',
};

describe('a mail server that is down for an hour', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let server: FaultyMailServer;
  let sink: MailSink;

  beforeAll(async () => {
    await service.startWorker();
    sink = await MailSink.start();
    server = await FaultyMailServer.start({ replies: { greeting: '421 4.3.2 Down\r\n' } });
  });
  afterAll(() => Promise.all([server.stop(), sink.stop()]));

  /** Resolves when no message is due or being sent. */
  const settled = () =>
    eventually(async () => {
      const open = await service.database.query(
        `SELECT 1 FROM queued_messages WHERE status = 'sending' OR (status = 'queued' AND next_attempt_at <= now()) LIMIT 1`,
      );
      expect(open).toEqual([]);
    });

  it('gets few connections, at growing intervals, and each message is sent once when it is back', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    const account = await given.mailbox(sink, server.account);
    const campaign = await given.running(await given.contacts(MESSAGES), {
      ...{ email_account_ids: [account.id], schedule: CLOSED },
    });
    const waiting = (reason: string) =>
      eventually(async () => {
        const rows = await service.database.query('SELECT 1 FROM queued_messages WHERE reason = $1', [reason]);
        expect(rows).toHaveLength(MESSAGES);
      });
    await waiting('outside_schedule');
    // All become due at the same time.
    await api.put(`/campaigns/${campaign.id}`, { schedule: null });
    await waiting('temporary_failure');
    expect(server.connections).toBeLessThanOrEqual(CONNECTIONS_PER_ACCOUNT);
    const minutes: number[] = [];
    for (let minute = 1; minute <= MINUTES; minute++) {
      const before = server.connections;
      await service.database.query(
        `UPDATE queued_messages SET next_attempt_at = next_attempt_at - interval '1 minute' WHERE status = 'queued'`,
      );
      await settled();
      if (server.connections > before) minutes.push(minute);
      expect(server.connections - before).toBeLessThanOrEqual(CONNECTIONS_PER_ACCOUNT);
    }
    // After 5 and 15 minutes. The next attempt would be an hour after that.
    expect(minutes).toEqual([5, 20]);
    const attempts = await service.database.query(
      'SELECT attempts, status, reason, count(*)::int AS count FROM all_messages GROUP BY 1, 2, 3 ORDER BY 1',
    );
    const waits = { status: 'queued', reason: 'temporary_failure' };
    expect(attempts).toEqual([
      { ...waits, attempts: 0, count: MESSAGES - CONNECTIONS_PER_ACCOUNT },
      { ...waits, attempts: 3, count: CONNECTIONS_PER_ACCOUNT },
    ]);
    server.behaviour = {};
    await service.database.query(`UPDATE queued_messages SET next_attempt_at = now() WHERE status = 'queued'`);
    await eventually(() => expect(server.copies.size).toBe(MESSAGES));
    expect([...server.copies.values()].every((copies) => copies === 1)).toBe(true);
    await eventually(async () =>
      expect(
        await service.database.query('SELECT 1 FROM messages WHERE campaign_id = $1 AND status = $2', [
          campaign.id,
          'sent',
        ]),
      ).toHaveLength(MESSAGES),
    );
  });
});

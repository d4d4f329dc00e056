import { eventually } from '../support/eventually.js';
import { FaultyMailServer, type ServerBehaviour } from '../support/faulty-mail-server.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** One more than an account has connections: only what is tried counts an attempt, so most of them end in the rounds. */
const MESSAGES = 6;
/** So many recipients in a row that are refused switch an account off. */
const REFUSALS = 12;
const HEALTHY_MESSAGES = 100;
/** The first attempt and five retries, and two of which the result is uncertain. */
const MAX_ROUNDS = 8;

type Status = 'failed' | 'queued' | 'sent' | 'unknown';
interface Faulty {
  readonly behaviour: ServerBehaviour;
  /** How most of its messages end. A short message may leave the process as a whole before the connection is closed. */
  readonly end: Status;
  readonly messages?: number;
}

const CLOSING = '421 4.3.2 Closing\r\n';
const stages = ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'end'] as const;

const servers: Readonly<Record<string, Faulty>> = {
  'is silent after the connection': { behaviour: { replies: { greeting: '' } }, end: 'failed' },
  'is silent after EHLO': { behaviour: { replies: { ehlo: '' } }, end: 'failed' },
  'is silent after RCPT': { behaviour: { replies: { rcpt: '' } }, end: 'failed' },
  'is silent after the final dot': { behaviour: { replies: { end: '' } }, end: 'unknown' },
  'closes the connection during the content': { behaviour: { closesAfter: 'content' }, end: 'failed' },
  'closes the connection after the final dot': { behaviour: { closesAfter: 'end' }, end: 'unknown' },
  'sends one byte a second': { behaviour: { byteMs: 1_000 }, end: 'failed' },
  'sends endless lines after EHLO': { behaviour: { endless: ['ehlo', '250-more\r\n'] }, end: 'failed' },
  'sends endless lines after MAIL': { behaviour: { endless: ['mail', '250-more\r\n'] }, end: 'failed' },
  'sends endless lines after the final dot': { behaviour: { endless: ['end', '250-more\r\n'] }, end: 'unknown' },
  'never ends the TLS handshake': {
    behaviour: { replies: { ehlo: '250-faulty.test\r\n250 STARTTLS\r\n', starttls: '220 go ahead\r\n' } },
    end: 'failed',
  },
  'announces and enforces a tiny SIZE': {
    behaviour: { replies: { ehlo: '250-faulty.test\r\n250 SIZE 10\r\n', end: '552 5.3.4 Too large\r\n' } },
    // It refuses everything, so that its account is switched off and the messages wait.
    ...{ end: 'queued', messages: REFUSALS },
  },
  ...Object.fromEntries(
    stages.map((stage) => [
      `replies with 421 (${stage})`,
      { behaviour: { replies: { [stage]: CLOSING } }, end: 'failed' } as const,
    ]),
  ),
};

describe('accounts whose mail servers have all kinds of faults', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let faulty: Map<string, { server: FaultyMailServer; campaign: { id: number } }>;
  let healthy: MailSink;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    healthy = await MailSink.start();
    faulty = new Map();
  });
  afterEach(async () => {
    await Promise.all([...faulty.values()].map(({ server }) => server.stop()));
    await healthy.stop();
  });

  const newWorkspace = async (): Promise<Given> => new Given(await service.client(), service.database);
  const sendHealthy = async (given: Given, prefix: string): Promise<void> => {
    const { id } = await given.mailbox(healthy, { from_email: `${prefix}@sender.example` });
    await given.running(await given.contacts(HEALTHY_MESSAGES, prefix), { email_account_ids: [id] });
  };
  const startFaulty = async (given: Given): Promise<void> => {
    for (const [name, { behaviour, messages = MESSAGES }] of Object.entries(servers)) {
      const server = await FaultyMailServer.start(behaviour);
      const account = await given.mailbox(healthy, { from_email: 'faulty@sender.example', ...server.account });
      const contacts = await given.contacts(messages, `n${faulty.size}-`);
      faulty.set(name, { server, campaign: await given.running(contacts, { name, email_account_ids: [account.id] }) });
    }
  };
  const count = async (table: 'all_messages' | 'queued_messages', condition: string): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    );
    return row?.count ?? 0;
  };

  it('delay neither the healthy account of their workspace nor another workspace, and each message ends', async () => {
    const [mixed, other] = [await newWorkspace(), await newWorkspace()];
    await startFaulty(mixed);
    // Each server has got its first messages, and the silent ones all they get.
    await eventually(async () =>
      expect(await count('all_messages', 'attempts > 0')).toBeGreaterThanOrEqual(8 * MESSAGES),
    );
    await Promise.all([sendHealthy(mixed, 'beside'), sendHealthy(other, 'apart')]);
    await eventually(() => expect(healthy.mails).toHaveLength(2 * HEALTHY_MESSAGES));
    // Meanwhile, the silent servers have not replied.
    expect(await count('queued_messages', `status = 'sending' AND lease_until > now()`)).toBeGreaterThanOrEqual(2 * 5);

    for (let round = 1; round <= MAX_ROUNDS; round++) {
      await eventually(async () => {
        for (const { server } of faulty.values()) server.hangUpUnanswered();
        const open = await service.database.query(
          `SELECT campaign.name, message.status, message.reason, count(*)::int AS count
           FROM queued_messages message JOIN campaigns campaign ON campaign.id = message.campaign_id
           WHERE message.status = 'sending' OR (message.status = 'queued' AND
             (reason = 'account_inactive' OR reason = 'temporary_failure' AND next_attempt_at > now() + interval '20 seconds') IS NOT TRUE)
           GROUP BY 1, 2, 3`,
        );
        expect(open).toEqual([]);
      });
      await service.database.query(`UPDATE queued_messages SET next_attempt_at = now() WHERE status = 'queued'`);
    }
    const ends: Record<string, Status> = {};
    const copies: Record<string, number> = {};
    for (const [name, { server, campaign }] of faulty) {
      const rows = await service.database.query<{ status: Status }>(
        'SELECT status FROM all_messages WHERE campaign_id = $1 GROUP BY 1 ORDER BY count(*) DESC',
        [campaign.id],
      );
      ends[name] = rows[0]?.status ?? 'sent';
      for (const { status } of rows) expect(['failed', 'queued', 'unknown']).toContain(status);
      copies[name] = Math.max(0, ...server.copies.values());
    }
    expect(ends).toEqual(Object.fromEntries(Object.entries(servers).map(([name, { end }]) => [name, end])));
    for (const [name, { end }] of Object.entries(servers)) if (end === 'unknown') expect(copies[name]).toBe(2);
    expect(healthy.mails).toHaveLength(2 * HEALTHY_MESSAGES);
    expect(new Set(healthy.mails.map(({ message_id: id }) => id)).size).toBe(2 * HEALTHY_MESSAGES);
  });
});

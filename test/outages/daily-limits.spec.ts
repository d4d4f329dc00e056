import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink, type SinkPhase } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { WorkerProcesses } from '../support/service-process.js';
import { useService } from '../support/service.js';

const SECONDS_PER_DAY = 86_400;
/** More than the tests of this file take together. */
const NEEDED_SECONDS = 180;

describe('the daily limit of an account', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  const workers = new WorkerProcesses(service);

  /** At midnight (UTC) the accounts may send again what they may send in a day: shortly before it, waits until it is over. */
  beforeAll(
    () =>
      eventually(() => {
        const left = SECONDS_PER_DAY - ((Date.now() / 1000) % SECONDS_PER_DAY);
        expect(left).toBeGreaterThan(NEEDED_SECONDS);
      }),
    2 * NEEDED_SECONDS * 1000,
  );
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());
  afterAll(() => workers.stop());

  const statsOf = async ({ id }: { id: number }) => (await api.get(`/email-accounts/${id}/stats`)).data;
  /** Ends the leases of killed workers now instead of some seconds later. */
  const endLeases = () =>
    service.database.query(
      `UPDATE queued_messages SET lease_until = now() - interval '2 minutes' WHERE leased_by IS NOT NULL`,
    );
  /** Waits until the account has sent what it may, and everything else waits. @returns how many messages are sent */
  const waitForLimit = (campaign: { id: number }, contacts: number) =>
    eventually(async () => {
      // A message is unknown if it was being sent by two workers when these were killed.
      const { sent, unknown } = (await api.get(`/campaigns/${campaign.id}/stats`)).data.messages;
      const waiting = await service.database.query(
        `SELECT id FROM queued_messages WHERE campaign_id = $1 AND status = 'queued' AND reason = 'daily_limit'`,
        [campaign.id],
      );
      expect(waiting).toHaveLength(contacts - sent - unknown);
      return Number(sent);
    });

  it('counts what was being sent when workers were killed', async () => {
    const limit = 60;
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 40)) });
    const account = await given.mailbox(sink, { daily_limit: limit });
    const campaign = await given.running(await given.contacts(100));
    for (const arrived of [10, 25, 40]) {
      await workers.run(1);
      await eventually(() => expect(sink.mails.length).toBeGreaterThanOrEqual(arrived));
      await workers.kill();
      await eventually(endLeases);
    }
    await workers.run(1);
    const sent = await waitForLimit(campaign, 100);
    expect(sink.mails.length).toBeLessThanOrEqual(limit);
    expect(await statsOf(account)).toMatchObject({
      sent_today: limit,
      remaining_today: 0,
      can_send_today: false,
      total_sent: sent,
    });
  });

  describe.each<SinkPhase>(['connect', 'rcpt'])('when the day changes before the server replies to %s', (phase) => {
    it('is that of the new day, for messages that were claimed on the day before', async () => {
      const gate = new RequestGate(0);
      const limit = 4;
      sink.misbehave({ at: phase, wait: gate.pass });
      const account = await given.mailbox(sink, { daily_limit: limit });
      const campaign = await given.running(await given.contacts(10, phase));
      await workers.run(1);
      await eventually(() => expect(gate.waiting).toBe(limit));
      await service.database.query('UPDATE email_accounts SET counted_on = counted_on - 1');
      await service.database.query(
        'UPDATE queued_messages SET reserved_on = reserved_on - 1 WHERE leased_by IS NOT NULL',
      );
      await service.database.query(
        `UPDATE queued_messages SET reason = NULL, next_attempt_at = now() WHERE leased_by IS NULL AND campaign_id = $1`,
        [campaign.id],
      );
      // Longer than the interval after which the content needs another check.
      await new Promise((resolve) => setTimeout(resolve, 300));
      sink.behave();
      gate.open();
      expect(await waitForLimit(campaign, 10)).toBe(limit);
      expect(sink.mails).toHaveLength(limit);
      expect(await statsOf(account)).toMatchObject({ sent_today: limit, remaining_today: 0, total_sent: limit });
    });
  });
});

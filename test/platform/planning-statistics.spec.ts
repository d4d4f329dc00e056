import { setTimeout as pause } from 'node:timers/promises';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

describe('planning that takes long', () => {
  const service = useService();
  let sink: MailSink;

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());

  /** When the transactions began that plan the campaign and wait for its lock. */
  const waiting = async (): Promise<string[]> =>
    (
      await service.database.query<{ began: string }>(
        `SELECT xact_start::text AS began FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%AS is_limited%FOR SHARE%'`,
      )
    ).map(({ began }) => began);

  it('is ended after two seconds, and repeated once without a limit', async () => {
    const given = new Given(await service.client(), service.database);
    await given.mailbox(sink);
    const steps = [{ subject: 'Hello', body: '<p>Hello</p>' }];
    const campaign = await given.running([(await given.contact()).id], { steps });
    // A lock takes time like a plan that is wrong for its data.
    const lock = await BlockingTransaction.begin(service.database, 'SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [
      campaign.id,
    ]);
    await service.startWorker();
    const began = new Set<string>();
    await eventually(async () => {
      for (const instant of await waiting()) began.add(instant);
      expect(began.size).toBe(2);
    });
    await pause(3_000);
    expect(await waiting()).toContain([...began][1]);
    expect(sink.mails).toHaveLength(0);
    await lock.end();
    await eventually(() => expect(sink.mails).toHaveLength(1));
  });
});

import { Log } from '@outreach/logging';
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

  /** For how many seconds, by PostgreSQL's clock, the transactions last that plan and wait for the campaign's lock. */
  const waiting = async (): Promise<number[]> =>
    (
      await service.database.query<{ seconds: number }>(
        `SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%AS limited_by%FOR SHARE%'`,
      )
    ).map(({ seconds }) => seconds);

  it('is ended after two seconds, and repeated once without a limit', async () => {
    const given = new Given(await service.client(), service.database);
    await given.mailbox(sink);
    const steps = [{ subject: 'Hello', body: '<p>Hello</p>' }];
    const campaign = await given.running([(await given.contact()).id], { steps });
    // A lock takes time like a plan that is wrong for its data.
    const lock = await BlockingTransaction.begin(service.database, 'SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [
      campaign.id,
    ]);
    const warn = jest.spyOn(Log.prototype, 'warn');
    await service.startWorker();
    await eventually(() =>
      expect(warn).toHaveBeenCalledWith(
        'planning took long, and is repeated',
        expect.objectContaining({ campaign_id: campaign.id }),
      ),
    );
    // Longer than the first was allowed to.
    await eventually(async () => expect(Math.max(...(await waiting()))).toBeGreaterThan(3));
    expect(sink.mails).toHaveLength(0);
    await lock.end();
    await eventually(() => expect(sink.mails).toHaveLength(1));
  });
});

import pg from 'pg';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const LIMIT_SECONDS = 2;
/** A part of the statement that begins a planning. */
const PLANNING = 'AS is_limited';

describe('planning that takes long', () => {
  const service = useService();
  let sink: MailSink;

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());

  /** For how long the transaction has waited that plans the campaign. */
  const secondsOfWait = async (): Promise<number> => {
    const [row] = await service.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%${PLANNING}%'`,
    );
    return row?.seconds ?? 0;
  };

  it('is ended after two seconds, and repeated once without a limit', async () => {
    const given = new Given(await service.client(), service.database);
    await given.mailbox(sink);
    const steps = [{ subject: 'Hello', body: '<p>Hello</p>' }];
    const campaign = await given.running([(await given.contact()).id], { steps });
    // A lock takes time like a plan that is wrong for its data.
    const lock = await BlockingTransaction.begin(service.database, 'SELECT 1 FROM campaigns WHERE id = $1 FOR UPDATE', [
      campaign.id,
    ]);
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const plannings = (): number =>
      (query.mock.calls as unknown as [string | { readonly text?: string }][]).filter(([statement]) =>
        (typeof statement === 'string' ? statement : (statement.text ?? '')).includes(PLANNING),
      ).length;
    await service.startWorker();
    await eventually(async () => expect(await secondsOfWait()).toBeGreaterThan(2 * LIMIT_SECONDS));
    expect(plannings()).toBe(2);
    query.mockRestore();
    expect(sink.mails).toHaveLength(0);
    await lock.end();
    await eventually(() => expect(sink.mails).toHaveLength(1));
  });
});

import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { RequestGate } from '../support/request-gate.js';
import { WorkerProcesses } from '../support/service-process.js';
import { useService } from '../support/service.js';

const CONTACTS = 300;
const LIMIT = 120;

/** Always open, in a zone where it is about noon: the day of the limit does not end during a test. */
const atNoon = () => {
  const hours = new Date().getUTCHours() - 12;
  // The sign of these zones is that of POSIX: `Etc/GMT+5` is five hours behind UTC.
  const timezone = `Etc/GMT${hours < 0 ? hours : `+${hours}`}`;
  return { timezone, days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '23:59' };
};

describe('workers that share the limit of new contacts of a campaign', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  const workers = new WorkerProcesses(service);

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
  });
  afterEach(async () => {
    await workers.stop();
    await sink.stop();
  });

  const running = async (limit: number) =>
    given.running(await given.contacts(CONTACTS), { schedule: atNoon(), max_new_contacts_per_day: limit });
  const recipients = (): number => new Set(sink.mails.flatMap(({ to }) => to)).size;
  /** All that may be sent is sent, and the planner has found that no place is free. */
  const settled = (campaign: { id: number }) =>
    eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      // A message that was being sent at two kills is not sent a third time.
      expect(data.messages.sent + data.messages.unknown).toBe(LIMIT);
      const [row] = await service.database.query(
        'SELECT count(*)::int AS free FROM campaigns WHERE id = $1 AND new_contacts_from IS NULL',
        [campaign.id],
      );
      expect(row).toEqual({ free: 0 });
    });

  it('write to exactly as many contacts', async () => {
    await workers.run(3);
    const campaign = await running(LIMIT);
    await settled(campaign);
    expect(recipients()).toBe(LIMIT);
  });

  it('write to exactly as many contacts although they are killed', async () => {
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 5)) });
    await workers.run(2);
    const campaign = await running(LIMIT);
    for (const received of [20, 50, 80]) {
      await eventually(() => expect(sink.mails.length).toBeGreaterThan(received));
      await workers.kill();
      await workers.run(2);
    }
    await settled(campaign);
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(recipients()).toBeGreaterThanOrEqual(data.messages.sent);
    expect(recipients()).toBeLessThanOrEqual(LIMIT);
  });

  it('write to no more contacts than a limit that is lowered while they send', async () => {
    // Without it they could send more than the new limit before the request has changed it.
    const gate = new RequestGate(10);
    sink.misbehave({ at: 'reply', wait: gate.pass });
    await workers.run(2);
    const campaign = await running(CONTACTS);
    await eventually(() => expect(sink.mails.length).toBeGreaterThan(10));
    expect((await api.put(`/campaigns/${campaign.id}`, { max_new_contacts_per_day: LIMIT })).status).toBe(200);
    gate.open();
    await settled(campaign);
    expect(recipients()).toBe(LIMIT);
  });
});

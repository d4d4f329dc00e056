import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const HOUR_MS = 3_600_000;
/** Twelve hours ahead of UTC, all year. */
const FAR_ZONE = 'Etc/GMT-12';
/** A window in which the current time of UTC is, and that of the other zone is not, also hours later. */
const openInUtc = (hours = 3) => {
  const clock = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(11, 16);
  const [start, end] = [clock(Date.now() - hours * HOUR_MS), clock(Date.now() + 3 * HOUR_MS)];
  return { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], start, end, contact_timezone: true };
};

describe('a schedule in the time zones of contacts', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    await service.startWorker();
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const messageTo = async (campaign: { id: number }, contact: { id: number }): Promise<Schema<'Message'>> =>
    (await api.get(`/campaigns/${campaign.id}/messages?contact_id=${contact.id}`)).data[0];
  const waits = (campaign: { id: number }, contact: { id: number }) =>
    eventually(async () =>
      expect(await messageTo(campaign, contact)).toMatchObject({ status: 'queued', reason: 'outside_schedule' }),
    );
  const received = (contact: { email: string }) => eventually(() => expect(sink.to(contact.email)).toHaveLength(1));
  const postponed = async (campaign: { id: number }): Promise<number> => {
    const [row] = await service.database.query<{ count: string }>(
      'SELECT count(*) FROM due_steps WHERE campaign_id = $1 AND due_at = postponed_until AND due_at > now()',
      [campaign.id],
    );
    return Number(row?.count);
  };

  it('is open for some and closed for others, who wait for their own window', async () => {
    const [here, far, none] = [
      await given.contact({ timezone: 'UTC' }),
      await given.contact({ timezone: FAR_ZONE }),
      await given.contact(),
    ];
    const schedule = openInUtc();
    const campaign = await given.running([far.id, here.id, none.id], { schedule });
    await received(here);
    await received(none);
    await waits(campaign, far);
    const { data } = await api.get(`/campaigns/${campaign.id}/contacts/${far.id}`);
    expect(data.waiting_for).toBe('outside_schedule');
    const local = new Date(Date.parse(data.next_send_at) + 12 * HOUR_MS).toISOString();
    expect(local.slice(11)).toBe(`${schedule.start}:00.000Z`);
    expect(sink.to(far.email)).toEqual([]);
  });

  it('is computed anew when the contact changes its zone, by the API or by an import', async () => {
    const [one, two] = [await given.contact({ timezone: FAR_ZONE }), await given.contact({ timezone: FAR_ZONE })];
    const campaign = await given.running([one.id, two.id], { schedule: openInUtc() });
    await waits(campaign, one);
    await waits(campaign, two);
    await api.put(`/contacts/${one.id}`, { timezone: 'UTC' });
    await received(one);
    const form = new FormData();
    form.set('file', new Blob([`email,timezone\n${two.email},Europe/London\n`]), 'contacts.csv');
    form.set('skip_duplicates', '0');
    expect((await api.post('/contacts/import', form)).status).toBe(200);
    await received(two);
  });

  it('is computed anew when the campaign gets another schedule', async () => {
    const contact = await given.contact({ timezone: FAR_ZONE });
    const schedule = openInUtc();
    const campaign = await given.running([contact.id], { schedule });
    await waits(campaign, contact);
    await api.put(`/campaigns/${campaign.id}`, { schedule: { ...schedule, contact_timezone: false } });
    await received(contact);
  });

  it('does not let those who wait delay others, however many they are', async () => {
    const far = await given.contacts(1_300, 'far');
    await service.database.query('UPDATE contacts SET timezone = $2 WHERE workspace_id = $1', [
      api.workspaceId,
      FAR_ZONE,
    ]);
    const here = await given.contacts(3, 'here');
    const schedule = openInUtc();
    const campaign = await given.running([...far, ...here], { schedule });
    await eventually(() => expect(sink.mails).toHaveLength(3));
    expect(sink.mails.map((mail) => mail.to).join()).not.toContain('far');
    await eventually(async () => expect(await postponed(campaign)).toBe(300));
    const timesOfLast = async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/contacts?per_page=100&sort=created_at`);
      const rows: Schema<'Enrollment'>[] = data.filter(({ contact }: Schema<'Enrollment'>) => contact.timezone);
      expect(rows.length).toBeGreaterThan(90);
      return [...new Set(rows.map((each) => `${each.next_send_at?.slice(11)} ${each.waiting_for}`))];
    };
    const startIn = (schedule: { start: string }) =>
      new Date(Date.parse(`2026-01-01T${schedule.start}:00Z`) + 12 * HOUR_MS).toISOString().slice(11);
    expect(await timesOfLast()).toEqual([`${startIn(schedule)} outside_schedule`]);
    const earlier = openInUtc(2);
    await api.put(`/campaigns/${campaign.id}`, { schedule: earlier });
    await eventually(async () => expect(await postponed(campaign)).toBeGreaterThan(200));
    expect(await timesOfLast()).toEqual([`${startIn(earlier)} outside_schedule`]);
    const [last] = await service.database.query<{ id: string; email: string }>(
      `SELECT contact.id, contact.email FROM due_steps due
       JOIN enrollments enrollment ON enrollment.workspace_id = due.workspace_id AND enrollment.id = due.enrollment_id
       JOIN contacts contact ON contact.workspace_id = due.workspace_id AND contact.id = contact_id
       WHERE due.campaign_id = $1 AND due.due_at = due.postponed_until LIMIT 1`,
      [campaign.id],
    );
    await api.put(`/contacts/${last?.id}`, { timezone: 'UTC' });
    await received({ email: last?.email ?? '' });
  });
});

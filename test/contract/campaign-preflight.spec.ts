import { BackgroundSteps } from '@outreach/concurrency';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useSharedService } from '../support/service.js';

const DAY_MS = 86_400_000;

describe('GET /campaigns/{id}/preflight', () => {
  const service = useSharedService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    await api.put('/settings', { postal_address: 'Acme, 1 Example Street' });
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());

  /** The time of the workspace. */
  const now = (): number => service.clocks.clockOf(api.workspaceId).now().getTime();
  const preflight = async ({ id }: { id: number }) => {
    const { status, data } = await api.get(`/campaigns/${id}/preflight`);
    expect(status).toBe(200);
    return data;
  };
  const enrolled = async (contacts: readonly { id: number }[], fields: object = {}) => {
    const campaign = await given.campaign({ track_opens: false, ...fields });
    if (contacts.length > 0)
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts.map(({ id }) => id) });
    return campaign;
  };
  const codes = (data: { warnings: { code: string; count: number }[] }) =>
    Object.fromEntries(data.warnings.map(({ code, count }) => [code, count]));

  it('returns that a campaign can start, for whom, from which accounts and until when', async () => {
    const { id } = await given.mailbox(sink, { daily_limit: 40 });
    const contacts = [await given.contact({ first_name: 'Ann' }), await given.contact({ first_name: 'Bob' })];
    const steps = [
      { subject: 'First', body: '<p>First</p>', delay_minutes: 60 },
      { subject: 'Second', body: '<p>Second</p>', delay_minutes: 120 },
    ];
    const before = Date.now();
    const data = await preflight(await enrolled(contacts, { steps }));
    expect(data).toEqual({
      can_start: true,
      blockers: [],
      warnings: [],
      recipients: { enrolled: 2, sendable: 2, skipped: {} },
      capacity: { accounts: [{ id, effective_limit_today: 40, remaining_today: 40 }], per_day: 40 },
      estimated_completion_at: expect.any(String),
    });
    const end = Date.parse(data.estimated_completion_at) - 180 * 60_000;
    expect(end).toBeGreaterThanOrEqual(before);
    expect(end).toBeLessThanOrEqual(Date.now());
  });

  it('returns the reasons for which a start is refused', async () => {
    const empty = await preflight(await given.campaign({ steps: [] }));
    expect(empty).toMatchObject({
      can_start: false,
      estimated_completion_at: null,
      capacity: { accounts: [], per_day: 0 },
    });
    expect(empty.blockers).toEqual([
      { code: 'no_steps', message: expect.stringContaining('step') },
      { code: 'no_account', message: expect.stringContaining('account') },
    ]);
    const { id } = await given.mailbox(sink);
    const campaign = await given.running([(await given.contact()).id]);
    expect((await preflight(campaign)).blockers).toEqual([{ code: 'already_active', message: expect.any(String) }]);
    await api.post(`/campaigns/${campaign.id}/pause`);
    expect(await preflight(campaign)).toMatchObject({ can_start: true, blockers: [] });
    await api.put(`/email-accounts/${id}`, { is_active: false });
    const off = await preflight(campaign);
    expect(off.blockers.map(({ code }: { code: string }) => code)).toEqual(['no_account']);
    expect(codes(off)).toMatchObject({ account_disabled: 1 });
    expect(off).toMatchObject({ estimated_completion_at: null, capacity: { per_day: 0 } });
    const refused = await api.post(`/campaigns/${campaign.id}/start`);
    expect(refused).toMatchObject({ status: 422, body: { reason: 'no_account', message: off.blockers[0].message } });
  });

  it('counts contacts that get nothing by their status, and those on the blacklist', async () => {
    await given.mailbox(sink);
    const [gone, bounced, blocked, done, here] = [
      await given.contact(),
      await given.contact(),
      await given.contact(),
      await given.contact(),
      await given.contact(),
    ];
    const campaign = await enrolled([gone, bounced, blocked, done, here]);
    await api.post(`/contacts/${gone.id}/unsubscribe`);
    await service.database.query(`UPDATE contacts SET status = 'bounced' WHERE id = $1`, [bounced.id]);
    await api.post('/blacklist', { email: blocked.email, reason: 'manual' });
    await api.post(`/campaigns/${campaign.id}/contacts/${done.id}/skip`);
    expect((await preflight(campaign)).recipients).toEqual({
      enrolled: 5,
      sendable: 1,
      skipped: { unsubscribed: 1, bounced: 1, blacklisted: 1 },
    });
  });

  it('warns of contacts without values, missing links, long subjects and full accounts', async () => {
    service.clocks.advanceToNoon(api.workspaceId);
    const { id } = await given.mailbox(sink, { daily_limit: 10 });
    const contacts = [await given.contact({ first_name: 'Ann' }), await given.contact(), await given.contact()];
    const campaign = await enrolled(contacts, {
      unsubscribe_footer: false,
      steps: [
        { subject: 'Hello {{ first_name }}', body: '<p>{{ company | default: "you" }} {{ sender.name }}</p>' },
        { subject: 'x'.repeat(61), body: '<a href="{{ unsubscribe_url }}">Stop</a>' },
        { subject: `${'y'.repeat(60)}{{ sender.name }}`, body: '<p>{{ unsubscribe_url }}</p>' },
      ],
    });
    expect(codes(await preflight(campaign))).toEqual({
      ...{ missing_variables: 2, no_unsubscribe_link: 1, no_postal_address: 3, long_subject: 1 },
    });
    await service.database.query(
      `UPDATE email_accounts SET sent_count = 10, counted_on = ($2::timestamptz AT TIME ZONE 'UTC')::date WHERE id = $1`,
      [id, new Date(now())],
    );
    const full = await preflight(campaign);
    expect(codes(full)).toMatchObject({ no_capacity: 1 });
    expect(full.capacity).toEqual({ accounts: [{ id, effective_limit_today: 10, remaining_today: 0 }], per_day: 10 });
    const midnight = Math.floor(now() / DAY_MS + 1) * DAY_MS;
    expect(Date.parse(full.estimated_completion_at)).toBe(midnight);
  });

  it('warns of steps without a postal address: all if the settings have none', async () => {
    await given.mailbox(sink);
    const steps = [
      { subject: 'Hello', body: '<p>Hello</p>' },
      { subject: 'Hello', body: '<a href="{{ unsubscribe_url }}">No more</a>' },
    ];
    const campaign = await enrolled([await given.contact()], { steps });
    expect(codes(await preflight(campaign))).toEqual({ no_postal_address: 1 });
    await api.put('/settings', { postal_address: null });
    expect(codes(await preflight(campaign))).toEqual({ no_postal_address: 2 });
  });

  it('warns of contacts whose messages would wait for a required variable', async () => {
    await given.mailbox(sink);
    const contacts = [await given.contact({ company: 'Acme' }), await given.contact(), await given.contact()];
    const steps = [{ subject: 'Hello', body: '<p>Hello</p>', required_variables: ['company'] }];
    expect(codes(await preflight(await enrolled(contacts, { steps })))).toEqual({ missing_variables: 2 });
  });

  it("sums up tomorrow's limits, for which a ramp has grown today", async () => {
    const ramp = await given.mailbox(sink, { daily_limit: 100, ramp_start: 10, ramp_per_day: 7 });
    const steady = await given.mailbox(sink, { daily_limit: 20, ramp_start: 19, ramp_per_day: 7 });
    const off = await given.mailbox(sink, { is_active: false });
    const campaign = await enrolled([], { email_account_ids: [ramp.id, steady.id, off.id] });
    expect((await preflight(campaign)).capacity.per_day).toBe(17 + 20);
  });

  it('warns of merge tags of other services, with their steps', async () => {
    await given.mailbox(sink);
    const steps = [
      { subject: 'Hello', body: '<p>Hello</p>' },
      { subject: 'Hello %FIRSTNAME%', body: '<p>[Company], *|FNAME|*</p>' },
    ];
    const { warnings } = await preflight(await enrolled([await given.contact({ first_name: 'Ann' })], { steps }));
    expect(warnings).toEqual([
      {
        ...{ code: 'foreign_merge_tags', count: 1 },
        message:
          'Some steps have merge tags of other services. Variables are written {{ first_name }}. ' +
          'Found: "*|FNAME|*" in step 2, "%FIRSTNAME%" in step 2, "[Company]" in step 2.',
      },
    ]);
  });

  it('warns of short texts that get an image', async () => {
    await given.mailbox(sink);
    const contacts = [await given.contact({ first_name: 'Ann' })];
    const steps = [
      { subject: 'Short', body: '<p>Hello</p>' },
      { subject: 'Long', body: `<p>${'Hello '.repeat(400)}</p>` },
    ];
    expect(codes(await preflight(await enrolled(contacts, { steps, track_opens: true })))).toEqual({ mostly_image: 1 });
    expect(codes(await preflight(await enrolled(contacts, { steps })))).toEqual({});
  });

  it('warns of accounts whose domain fails its checks', async () => {
    const { id } = await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'unchecked@sender.example' });
    const campaign = await enrolled([await given.contact()], { email_account_ids: [id] });
    expect(codes(await preflight(campaign))).toEqual({ missing_variables: 1 });
    await api.get(`/email-accounts/${id}/domain`);
    await service.database.query(
      `UPDATE domain_checks SET checks = jsonb_set(checks, '{spf,status}', '"fail"') WHERE email_account_id = $1`,
      [id],
    );
    expect(codes(await preflight(campaign))).toMatchObject({ domain_not_authenticated: 1 });
  });

  it('warns of the texts of the variants that can be drawn', async () => {
    await given.mailbox(sink);
    const long = 'x'.repeat(80);
    const variants = [
      { name: 'A', weight: 1, subject: long, body: null },
      { name: 'B', weight: 0, subject: `${long}y`, body: null },
    ];
    const steps = [{ subject: 'Short', body: '<p>Hello</p>', variants }];
    expect(codes(await preflight(await enrolled([await given.contact()], { steps })))).toEqual({ long_subject: 1 });
  });

  it('examines the texts and estimates the end in turns with the long work of other workspaces', async () => {
    await given.mailbox(sink);
    const [empty, campaign] = [await given.campaign(), await enrolled([await given.contact()])];
    const finish = jest.spyOn(BackgroundSteps.prototype, 'finish');
    const ofWorkspace = [api.workspaceId, expect.anything()];
    await preflight(empty);
    expect(finish.mock.calls).toEqual([ofWorkspace]);
    await preflight(campaign);
    expect(finish.mock.calls).toEqual([ofWorkspace, ofWorkspace, ofWorkspace]);
    finish.mockRestore();
  });

  it('warns of a tracking domain that does not lead to the service', async () => {
    await service.database.query(`UPDATE workspaces SET tracking_domain = 'links.example.com' WHERE id = $1`, [
      api.workspaceId,
    ]);
    expect(codes(await preflight(await enrolled([])))).toEqual({ unverified_tracking_domain: 1 });
  });

  it('estimates the end of a running campaign from what is due, queued and waiting', async () => {
    service.clocks.advanceToNoon(api.workspaceId);
    await given.mailbox(sink, { daily_limit: 2 });
    const contacts = [await given.contact(), await given.contact(), await given.contact()];
    const steps = [
      { subject: 'First', body: '<p>First</p>' },
      { subject: 'Second', body: '<p>Second</p>' },
    ];
    const campaign = await given.running(
      contacts.map(({ id }) => id),
      { steps },
    );
    const today = Math.floor(now() / DAY_MS) * DAY_MS;
    // Six messages, two on each day.
    expect(Date.parse((await preflight(campaign)).estimated_completion_at)).toBe(today + 2 * DAY_MS);
    const schedule = { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], start: '23:58', end: '23:59' };
    await api.put(`/campaigns/${campaign.id}`, { schedule });
    const { estimated_completion_at: end } = await preflight(campaign);
    expect(end.slice(11)).toBe('23:58:00.000Z');
  });

  it('estimates the end from all due messages, also of contacts in the last of thousands of hours, in each of their zones', async () => {
    await given.mailbox(sink);
    const contacts = await given.contacts(2_101);
    const campaign = await given.running(contacts);
    const last = (Math.floor(Date.now() / DAY_MS) + 90) * DAY_MS + 6 * 3_600_000;
    await service.database.query(
      `UPDATE due_steps due SET due_at = to_timestamp($2::bigint / 1000 - greatest(0, $3 - enrollment.contact_id) * 3600)
       FROM enrollments enrollment WHERE due.workspace_id = $1 AND enrollment.workspace_id = $1 AND enrollment.id = due.enrollment_id`,
      [api.workspaceId, last, contacts.at(-2)],
    );
    expect(Date.parse((await preflight(campaign)).estimated_completion_at)).toBe(last);
    await api.put(`/contacts/${contacts.at(-1)}`, { timezone: 'Pacific/Honolulu' });
    const schedule = {
      timezone: 'UTC',
      days: [1, 2, 3, 4, 5, 6, 7],
      start: '09:00',
      end: '10:00',
      contact_timezone: true,
    };
    await api.put(`/campaigns/${campaign.id}`, { schedule });
    // Nine o'clock in Hawaii.
    const inHawaii = last + 13 * 3_600_000;
    expect(Date.parse((await preflight(campaign)).estimated_completion_at)).toBe(inHawaii);
  });

  it('returns 404 for a campaign of another workspace, and 403 without the permission', async () => {
    const campaign = await given.campaign();
    const other = await service.client();
    expect((await other.get(`/campaigns/${campaign.id}/preflight`)).status).toBe(404);
    const reader = await service.client(['contacts:read']);
    expect((await reader.get(`/campaigns/${campaign.id}/preflight`)).status).toBe(403);
  });
});

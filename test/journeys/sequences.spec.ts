import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const DAY = 1440;
const READER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0' };
const step = (subject: string, fields: object = {}) => ({
  subject,
  body: `<p>${subject} <a href="https://acme.example/">see</a></p>`,
  ...fields,
});

/** A schedule that opens in twelve hours. */
const closed = () => {
  const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
  return { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], start: `${hour}:00`, end: `${hour}:30` };
};

describe('sequences', () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
  });
  afterEach(() => sink.stop());

  const subjectsTo = (email: string): string[] =>
    sink.to(email).map(({ raw }) => /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '');
  const received = (email: string, subjects: readonly string[]) =>
    eventually(() => expect(subjectsTo(email)).toEqual(subjects));
  const enrollmentOf = async (campaign: { id: number }, contact: { id: number }) =>
    (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data;
  const ended = (campaign: { id: number }, contact: { id: number }) =>
    eventually(async () => expect(await enrollmentOf(campaign, contact)).toMatchObject({ status: 'completed' }));
  const stepsOf = async (campaign: { id: number }): Promise<Schema<'Step'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/steps`)).data;
  const messagesOf = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const isAtStep = (campaign: { id: number }, contact: { id: number }, position: number) =>
    eventually(async () =>
      expect(await enrollmentOf(campaign, contact)).toMatchObject({
        current_step: { position },
        status: 'in_progress',
      }),
    );
  const advance = (days: number) => service.clocks.advance(api.workspaceId, { days });
  const follow = (url: string | undefined) =>
    fetch(String(url).replace('http://outreach.test', service.url), { redirect: 'manual', headers: READER });
  const htmlTo = (email: string): string =>
    (sink.to(email)[0]?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const open = (email: string) => follow(/http:\/\/outreach\.test\/t\/o\/[\w-]+\.gif/.exec(htmlTo(email))?.[0]);
  const click = (email: string) => follow(/http:\/\/outreach\.test\/t\/c\/[\w-]+/.exec(htmlTo(email))?.[0]);

  describe('POST /campaigns/{id}/contacts/{contact}/move', () => {
    const move = async (campaign: { id: number }, contact: { id: number }, position: number) => {
      const steps = await stepsOf(campaign);
      const target = { step_id: steps[position - 1]?.id };
      return api.post(`/campaigns/${campaign.id}/contacts/${contact.id}/move`, target);
    };

    it('continues with the step at once, whatever its delay is, and shows the enrollment', async () => {
      const contact = await given.contact();
      const delayed = { delay_minutes: 5 * DAY };
      const campaign = await given.running([contact.id], {
        steps: [step('One'), step('Two', delayed), step('Three', delayed)],
      });
      await received(contact.email, ['One']);
      await isAtStep(campaign, contact, 2);
      const response = await move(campaign, contact, 3);
      expect(response).toMatchObject({
        status: 200,
        data: { contact_id: contact.id, status: 'in_progress', current_step: { position: 3, subject: 'Three' } },
      });
      await received(contact.email, ['One', 'Three']);
      await ended(campaign, contact);
    });

    it('cancels the queued message of another step, which is sent after all if the contact is moved back', async () => {
      const contact = await given.contact();
      const campaign = await given.running([contact.id], {
        steps: [step('One'), step('Two', { delay_minutes: DAY }), step('Three', { delay_minutes: DAY })],
        schedule: closed(),
      });
      await eventually(async () =>
        expect(await messagesOf(campaign)).toMatchObject([{ reason: expect.any(String), status: 'queued' }]),
      );
      expect((await move(campaign, contact, 2)).data.current_step).toMatchObject({ position: 2 });
      await eventually(async () =>
        expect(await messagesOf(campaign)).toMatchObject([
          { status: 'queued', reason: 'outside_schedule' },
          { status: 'cancelled', reason: 'moved' },
        ]),
      );
      await move(campaign, contact, 1);
      await api.put(`/campaigns/${campaign.id}`, { schedule: null });
      await received(contact.email, ['One']);
      await isAtStep(campaign, contact, 2);
      advance(1);
      await received(contact.email, ['One', 'Two']);
    });

    it('does not send a step again: the contact goes on with the step after it', async () => {
      const contact = await given.contact();
      const campaign = await given.running([contact.id], {
        steps: [step('One'), step('Two'), step('Three', { delay_minutes: DAY })],
      });
      await received(contact.email, ['One', 'Two']);
      await isAtStep(campaign, contact, 3);
      expect((await move(campaign, contact, 1)).data.current_step).toMatchObject({ position: 1 });
      await isAtStep(campaign, contact, 3);
      advance(1);
      await received(contact.email, ['One', 'Two', 'Three']);
      await ended(campaign, contact);
    });

    it('to the current step makes it due, also in a campaign that is paused', async () => {
      const contact = await given.contact();
      const campaign = await given.running([contact.id], {
        steps: [step('One'), step('Two', { delay_minutes: DAY })],
      });
      await isAtStep(campaign, contact, 2);
      await api.post(`/campaigns/${campaign.id}/pause`);
      expect((await move(campaign, contact, 2)).status).toBe(200);
      await api.post(`/campaigns/${campaign.id}/start`);
      await received(contact.email, ['One', 'Two']);
    });

    it('refuses an enrollment that has ended, and a step of another campaign', async () => {
      const contact = await given.contact();
      const campaign = await given.running([contact.id], { steps: [step('One')] });
      await ended(campaign, contact);
      expect(await move(campaign, contact, 1)).toMatchObject({
        status: 422,
        body: { error: 'HttpError', errors: null, reason: 'enrollment_ended' },
      });
      const [foreign] = await stepsOf(await given.campaign());
      for (const step_id of [foreign?.id, 999_999_999, null, 'x', undefined]) {
        const refused = await api.post(`/campaigns/${campaign.id}/contacts/${contact.id}/move`, { step_id });
        expect(refused).toMatchObject({ status: 422, body: { errors: { step_id: [expect.any(String)] } } });
      }
      expect((await api.post(`/campaigns/${campaign.id}/contacts/999999999/move`, {})).status).toBe(404);
    });
  });

  describe('only_if', () => {
    it.each([
      ['opened', open, ['One', 'Conditional', 'Last'], ['One', 'Last']],
      ['not_opened', open, ['One', 'Last'], ['One', 'Conditional', 'Last']],
      ['clicked', click, ['One', 'Conditional', 'Last'], ['One', 'Last']],
      ['not_clicked', click, ['One', 'Last'], ['One', 'Conditional', 'Last']],
    ])('%s is evaluated when the step is due', async (only_if, engage, ofEngaged, ofOthers) => {
      const [engaged, other] = [await given.contact(), await given.contact()];
      const campaign = await given.running([engaged.id, other.id], {
        steps: [
          step('One'),
          step('Conditional', { only_if, delay_minutes: DAY }),
          step('Last', { delay_minutes: 2 * DAY }),
        ],
      });
      for (const contact of [engaged, other]) await isAtStep(campaign, contact, 2);
      await engage(engaged.email);
      await eventually(async () =>
        expect((await messagesOf(campaign)).some((each) => each.opened_at !== null || each.clicked_at !== null)).toBe(
          true,
        ),
      );
      advance(1);
      for (const contact of [engaged, other]) await isAtStep(campaign, contact, 3);
      expect((await enrollmentOf(campaign, other)).current_step.subject).toBe('Last');
      advance(1);
      await received(engaged.email, ofEngaged.slice(0, -1));
      advance(1);
      await received(engaged.email, ofEngaged);
      await received(other.email, ofOthers);
    });

    it('ends the enrollment if the condition of the last step does not hold, and no message is shown', async () => {
      const contact = await given.contact();
      const campaign = await given.running([contact.id], { steps: [step('One'), step('Two', { only_if: 'opened' })] });
      await ended(campaign, contact);
      expect(subjectsTo(contact.email)).toEqual(['One']);
      expect(await messagesOf(campaign)).toHaveLength(1);
      await eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
    });

    it('of the first step holds only if it is negative; a contact to whom nothing was sent stays pending', async () => {
      const contact = await given.contact();
      const campaign = await given.running([contact.id], {
        steps: [
          step('Opened', { only_if: 'opened' }),
          step('Clicked', { only_if: 'clicked' }),
          step('Late', { delay_minutes: DAY, only_if: 'not_clicked' }),
        ],
      });
      await eventually(async () =>
        expect(await enrollmentOf(campaign, contact)).toMatchObject({
          current_step: { position: 3 },
          status: 'pending',
        }),
      );
      advance(1);
      await received(contact.email, ['Late']);
      await ended(campaign, contact);
    });
  });

  describe('required_variables', () => {
    const needing = (...names: string[]) => ({
      steps: [{ subject: 'Hello', body: '<p>{{ first_name }}</p>', required_variables: names }],
    });
    const waits = (campaign: { id: number }) =>
      eventually(async () =>
        expect(await messagesOf(campaign)).toMatchObject([{ status: 'queued', reason: 'missing_variable' }]),
      );

    it.each([
      ['first_name', {}, { first_name: 'Ada' }],
      ['full_name', {}, { last_name: 'Lovelace' }],
      ['city', { custom_fields: { city: '  ' } }, { custom_fields: { city: 'London' } }],
      ['custom_fields.score', {}, { custom_fields: { score: 0 } }],
      ['custom_fields.is_vip', {}, { custom_fields: { is_vip: false } }],
    ])('postpone a message while %s is empty, until the contact changes', async (name, without, filled) => {
      await given.contact({ custom_fields: { city: 'x', score: 1, is_vip: true } });
      const contact = await given.contact(without);
      const campaign = await given.running([contact.id], needing(name));
      await waits(campaign);
      await api.put(`/contacts/${contact.id}`, { phone: '1' });
      await waits(campaign);
      await api.put(`/contacts/${contact.id}`, filled);
      await received(contact.email, ['Hello']);
      await ended(campaign, contact);
    });

    it('are released by an import, and by a change of the step', async () => {
      const contacts = [await given.contact(), await given.contact()];
      const ids = contacts.map(({ id }) => id);
      const imported = await given.running(ids, needing('first_name'));
      const changed = await given.running(ids, needing('first_name', 'phone'));
      await eventually(async () => {
        const all = [...(await messagesOf(imported)), ...(await messagesOf(changed))];
        expect(all.map(({ reason }) => reason)).toEqual(Array(4).fill('missing_variable'));
      });
      const form = new FormData();
      const rows = contacts.map(({ email }) => `${email},Ada`).join('\n');
      form.set('file', new Blob([`email,first_name\n${rows}\n`]), 'contacts.csv');
      form.set('skip_duplicates', '0');
      expect((await api.post('/contacts/import', form)).data).toMatchObject({ updated: 2 });
      for (const contact of contacts) await ended(imported, contact);
      const [first] = await stepsOf(changed);
      await api.put(`/campaigns/${changed.id}/steps/${first?.id}`, { required_variables: ['first_name'] });
      for (const contact of contacts) await ended(changed, contact);
      expect(sink.mails).toHaveLength(4);
    });

    it('postpone a message that was queued before its contact lost the value', async () => {
      await given.contact({ custom_fields: { city: 'x' } });
      const contact = await given.contact({ custom_fields: { city: 'Paris' } });
      const campaign = await given.running([contact.id], {
        ...needing('city'),
        schedule: closed(),
      });
      await eventually(async () => expect(await messagesOf(campaign)).toMatchObject([{ reason: 'outside_schedule' }]));
      await api.put(`/contacts/${contact.id}`, { custom_fields: { city: null } });
      await api.put(`/campaigns/${campaign.id}`, { schedule: null });
      await waits(campaign);
      expect((await api.get('/email-accounts')).data).toMatchObject([{ sent_today: 0 }]);
      await api.post(`/campaigns/${campaign.id}/pause`);
      await api.post(`/campaigns/${campaign.id}/start`);
      await waits(campaign);
      await api.put(`/contacts/${contact.id}`, { custom_fields: { city: 'Rome' } });
      await received(contact.email, ['Hello']);
    });

    it('of contacts that wait do not delay the others', async () => {
      await given.contacts(2_500, 'nameless');
      await service.database.query(`UPDATE contacts SET first_name = NULL WHERE workspace_id = $1`, [api.workspaceId]);
      const rows = await service.database.query<{ id: string }>(
        `SELECT id FROM contacts WHERE workspace_id = $1 ORDER BY id`,
        [api.workspaceId],
      );
      const named = await given.contact({ first_name: 'Ada' });
      const campaign = await given.running([...rows.map(({ id }) => Number(id)), named.id], needing('first_name'));
      await received(named.email, ['Hello']);
      expect(sink.mails).toHaveLength(1);
      await eventually(async () => {
        const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
        expect(data.messages).toMatchObject({ queued: 2_500, sent: 1 });
      });
    });

    it('have to be fields of contacts or of the workspace', async () => {
      await given.contact({ custom_fields: { city: 'x' } });
      const other = await service.client();
      await other.post('/contacts', { email: 'a@example.com', custom_fields: { theirs: 'x' } });
      const required_variables = ['first_name', 'custom_fields.city', 'city', 'town', 'sender.name', 'theirs', '', 5];
      const { body, status } = await api.post('/campaigns', {
        name: 'x',
        steps: [step('a'), step('b', { required_variables })],
      });
      expect([status, Object.keys(body.errors).sort()]).toEqual([
        422,
        [3, 4, 5, 6, 7].map((index) => `steps.1.required_variables.${index}`),
      ]);
      const campaign = await given.campaign();
      const added = await api.post(`/campaigns/${campaign.id}/steps`, step('b', { required_variables: ['city'] }));
      expect(added.data).toMatchObject({ required_variables: ['city'], only_if: null });
      const path = `/campaigns/${campaign.id}/steps/${added.data.id}`;
      expect((await api.put(path, added.data)).data).toMatchObject({ required_variables: ['city'] });
      expect((await api.put(path, { only_if: 'replied' })).body.errors).toEqual({ only_if: [expect.any(String)] });
      expect((await api.put(path, { only_if: 'opened', required_variables: null })).data).toMatchObject({
        only_if: 'opened',
        required_variables: [],
      });
    });
  });
});

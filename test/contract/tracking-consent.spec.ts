import { simpleParser } from 'mailparser';
import { DeliveryReports, MessageLinks } from '../../src/sending/index.js';
import { trackedMessages } from '../../src/sending/tracking-consent.queries.js';
import { UndecidedEvents } from '../../src/tracking/events/undecided-events.cross-tenant.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const READER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0' };
const BODY = '<p>Hello, <a href="https://acme.example/offer">our offer</a></p>';

describe('the consent of a contact to tracking', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let links: MessageLinks;

  beforeAll(async () => {
    sink = await MailSink.start();
    links = service.app.get(MessageLinks, { strict: false });
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const contactOf = async (id: number) => (await api.get(`/contacts/${id}`)).data;
  const changesOf = async (id: number) =>
    (await api.get(`/contacts/${id}/activity?type=contact.consent_changed`)).data.map(
      ({ data }: { data: object }) => data,
    );
  const ours = (url: string) => url.replace('http://outreach.test', service.url);
  const unsubscribeUrl = (id: number) =>
    ours(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id })).replace(
      /^http:\/\/[^/]+/,
      service.url,
    );
  const post = (url: string, fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers: { 'accept-language': 'en' } });

  it('is unknown for a new contact', async () => {
    const contact = await given.contact();
    expect(contact).toMatchObject({
      tracking_consent: 'unknown',
      tracking_consent_at: null,
      tracking_consent_source: null,
    });
    expect(await changesOf(contact.id)).toEqual([]);
  });

  it('has a date and a change in the activity if the contact is created with it', async () => {
    const contact = await given.contact({ tracking_consent: 'granted', tracking_consent_source: 'Form' });
    expect(contact).toMatchObject({ tracking_consent: 'granted', tracking_consent_source: 'Form' });
    expect(contact.tracking_consent_at).toMatch(/Z$/);
    expect(await changesOf(contact.id)).toEqual([{ from: 'unknown', to: 'granted', source: 'api' }]);
  });

  it('gets a date with each change, and its source from the same request', async () => {
    const { id, tracking_consent_at: first } = await given.contact({
      tracking_consent: 'granted',
      tracking_consent_source: 'Form',
    });
    await api.put(`/contacts/${id}`, { tracking_consent: 'granted' });
    expect(await contactOf(id)).toMatchObject({ tracking_consent_at: first, tracking_consent_source: 'Form' });
    await api.put(`/contacts/${id}`, { tracking_consent: 'refused' });
    const refused = await contactOf(id);
    expect(refused).toMatchObject({ tracking_consent: 'refused', tracking_consent_source: null });
    expect(Date.parse(refused.tracking_consent_at)).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
    expect(await changesOf(id)).toEqual([
      { from: 'granted', to: 'refused', source: 'api' },
      { from: 'unknown', to: 'granted', source: 'api' },
    ]);
  });

  it.each([['perhaps'], [true], [['granted']]])('is not %j', async (consent) => {
    const { status, body } = await api.post('/contacts', { email: 'a@example.com', tracking_consent: consent });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['tracking_consent']]);
  });

  it('is imported, and its changes are part of the activity', async () => {
    const known = await given.contact({ email: 'known@example.com', tracking_consent: 'granted' });
    const same = await given.contact({ email: 'same@example.com', tracking_consent: 'refused' });
    const file = new FormData();
    const rows = ['new,granted,Fair', 'unasked,,', 'known,refused,', 'same,refused,'].map((row) =>
      row.replace(',', '@example.com,'),
    );
    const csv = ['email,tracking_consent,tracking_consent_source', ...rows, 'bad@example.com,maybe,'].join('\n');
    file.set('file', new Blob([csv]), 'contacts.csv');
    file.set('skip_duplicates', 'false');
    expect((await api.post('/contacts/import', file)).body.data ?? {}).toMatchObject({});
    const find = async (email: string) => (await api.get(`/contacts?search=${email}`)).data[0];
    const created = await find('new@example.com');
    expect(created).toMatchObject({ tracking_consent: 'granted', tracking_consent_source: 'Fair' });
    expect(created.tracking_consent_at).toMatch(/Z$/);
    expect(await changesOf(created.id)).toEqual([{ from: 'unknown', to: 'granted', source: 'import' }]);
    expect(await find('unasked@example.com')).toMatchObject({ tracking_consent: 'unknown', tracking_consent_at: null });
    expect((await changesOf(known.id))[0]).toEqual({ from: 'granted', to: 'refused', source: 'import' });
    expect(await changesOf(same.id)).toHaveLength(1);
    expect(await contactOf(same.id)).toMatchObject({ tracking_consent_at: same.tracking_consent_at });
    expect(await find('bad@example.com')).toBeUndefined();
  });

  it('is a field of segments', async () => {
    const contact = await given.contact({ tracking_consent: 'refused' });
    await given.contact();
    const segment = await given.segment([{ field: 'tracking_consent', operator: 'equals', value: 'refused' }]);
    const { data } = await api.get(`/segments/${segment.id}/contacts`);
    expect(data.map(({ id }: { id: number }) => id)).toEqual([contact.id]);
  });

  /** @param meanwhile is called between the requests and their classification */
  const measured = async (message: { id: number; campaign: { id: number } }, meanwhile?: () => Promise<unknown>) => {
    const ref = { workspace_id: api.workspaceId, message_id: message.id };
    await fetch(ours(links.openUrl(ref)), { headers: READER });
    const target = 'https://acme.example/offer';
    const click = await fetch(ours(links.clickUrl({ ...ref, link: 1, url: target })), {
      headers: READER,
      redirect: 'manual',
    });
    expect([click.status, click.headers.get('location')]).toEqual([302, target]);
    await meanwhile?.();
    service.clocks.advance(api.workspaceId, { seconds: 60 });
    await service.app.get(UndecidedEvents, { strict: false }).classify();
    const [row] = await service.database.query<{ events: number }>(
      'SELECT count(*)::int AS events FROM tracking_events WHERE workspace_id = $1 AND message_id = $2',
      [api.workspaceId, message.id],
    );
    const { messages } = (await api.get(`/campaigns/${message.campaign.id}/stats`)).data;
    return [row?.events, messages.opened, messages.clicked];
  };

  it('decides whether requests for pixels and links are recorded; links still lead to their target', async () => {
    const contact = await given.contact();
    const message = await given.sentMessage(contact.id);
    expect(await measured(message)).toEqual([2, 1, 1]);
    const other = await given.sentMessage(contact.id);
    await api.put(`/contacts/${contact.id}`, { tracking_consent: 'refused' });
    expect(await measured(other)).toEqual([0, 0, 0]);
    await api.put(`/contacts/${contact.id}`, { tracking_consent: 'unknown' });
    await api.put('/settings', { tracking_consent_required: true });
    expect(await measured(other)).toEqual([0, 0, 0]);
    await api.put(`/contacts/${contact.id}`, { tracking_consent: 'granted' });
    expect(await measured(other)).toEqual([2, 1, 1]);
  });

  it('that is refused right after a request leaves nothing of it', async () => {
    const contact = await given.contact();
    const refuse = () => api.put(`/contacts/${contact.id}`, { tracking_consent: 'refused' });
    expect(await measured(await given.sentMessage(contact.id), refuse)).toEqual([0, 0, 0]);
    expect((await api.get(`/contacts/${contact.id}/activity?type=email.opened,email.clicked`)).data).toEqual([]);
  });

  it('decides whether opens and clicks that a provider reports are recorded', async () => {
    const contact = await given.contact({ tracking_consent: 'refused' });
    const { id, campaign } = await given.sentMessage(contact.id);
    const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    const reports = service.app.get(DeliveryReports, { strict: false });
    await reports.record(scope, [id], { kind: 'opened' });
    await reports.record(scope, [id], { kind: 'clicked', url: 'https://acme.example/' });
    const { messages } = (await api.get(`/campaigns/${campaign.id}/stats`)).data;
    expect([messages.opened, messages.clicked]).toEqual([0, 0]);
  });

  it('is refused by the second button of the unsubscribe page, which does not unsubscribe', async () => {
    const contact = await given.contact({ tracking_consent: 'granted' });
    const { id } = await given.sentMessage(contact.id);
    const page = await (await fetch(unsubscribeUrl(id), { headers: { 'accept-language': 'en' } })).text();
    expect(page).toContain('Do not measure');
    expect(page).toMatch(/<input type="hidden" name="tracking" value="refuse" ?\/?>/);
    const response = await post(unsubscribeUrl(id), { tracking: 'refuse' });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Nothing is measured')]);
    expect(await contactOf(contact.id)).toMatchObject({
      status: 'active',
      tracking_consent: 'refused',
      tracking_consent_source: 'unsubscribe page',
    });
    expect((await changesOf(contact.id))[0]).toEqual({ from: 'granted', to: 'refused', source: 'link' });
    await post(unsubscribeUrl(id), { tracking: 'refuse' });
    expect(await changesOf(contact.id)).toHaveLength(2);
  });

  it('is refused for the contact that has the address of the link now', async () => {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    const link = links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id, address: contact.email });
    const url = link.replace(/^http:\/\/[^/]+/, service.url);
    await api.delete(`/contacts/${contact.id}`);
    expect((await post(url, { tracking: 'refuse' })).status).toBe(200);
    const again = await given.contact({ email: contact.email, tracking_consent: 'granted' });
    expect((await post(url, { tracking: 'refuse' })).status).toBe(200);
    expect(await contactOf(again.id)).toMatchObject({ tracking_consent: 'refused', status: 'active' });
  });

  it.each([{ tracking: 'accept' }, { other: 'tracking=refuse' }, {}])(
    'stays as it is if the body of a request to the unsubscribe link is %j',
    async (fields) => {
      const contact = await given.contact();
      const { id } = await given.sentMessage(contact.id);
      expect((await post(unsubscribeUrl(id), fields as Record<string, string>)).status).toBe(200);
      expect(await contactOf(contact.id)).toMatchObject({ status: 'unsubscribed', tracking_consent: 'unknown' });
    },
  );

  it('is beside the settings for what new campaigns measure', async () => {
    await api.put('/settings', { track_opens: false, track_clicks: false });
    expect(await given.campaign()).toMatchObject({ track_opens: false, track_clicks: false });
    expect(await given.campaign({ track_opens: true })).toMatchObject({ track_opens: true, track_clicks: false });
    await api.put('/settings', { track_opens: null, track_clicks: null });
    expect(await given.campaign()).toMatchObject({ track_opens: true, track_clicks: true });
  });

  describe('is needed by the place of the contact', () => {
    const isNeeded = async (timezone: string | null, custom_fields: object = {}): Promise<boolean> => {
      const [row] = await service.database.query<{ is_needed: boolean }>(
        'SELECT lies_where_consent_is_needed($1, $2) AS is_needed',
        [timezone, custom_fields],
      );
      return row?.is_needed ?? false;
    };
    const zonesOf = (region: string): readonly string[] => {
      const locale: Intl.Locale & { timeZones?: string[]; getTimeZones?: () => string[] } = new Intl.Locale(
        `und-${region}`,
      );
      return locale.getTimeZones?.() ?? locale.timeZones ?? [];
    };

    it('in all countries of the EU, the EEA, Switzerland and the United Kingdom, by their zones, codes and names', async () => {
      const regions = [
        ...'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
        ...'IS LI NO CH GB GF GP MF MQ RE YT AX'.split(' '),
      ];
      for (const region of regions) {
        expect(zonesOf(region)).not.toEqual([]);
        for (const zone of zonesOf(region)) expect([zone, await isNeeded(zone)]).toEqual([zone, true]);
        const name = new Intl.DisplayNames(['en'], { type: 'region' }).of(region) ?? '';
        for (const country of [region, ` ${region.toLowerCase()} `, name.replace('St. ', 'Saint-').toUpperCase()])
          expect([country, await isNeeded(null, { country })]).toEqual([country, true]);
        expect(await isNeeded('America/New_York', { country_code: region })).toBe(true);
      }
    });

    it('in no other country', async () => {
      const others = 'US CA BR JP IN AU TR RU UA RS BA AL MD GE MA IL ZA CN GL FO'.split(' ');
      for (const region of others) {
        for (const zone of zonesOf(region)) expect([zone, await isNeeded(zone)]).toEqual([zone, false]);
        const name = new Intl.DisplayNames(['en'], { type: 'region' }).of(region) ?? '';
        expect([region, await isNeeded(null, { country: region, country_code: name })]).toEqual([region, false]);
      }
    });

    it.each([
      ['GB', {}, true],
      ['europe/paris', {}, true],
      ['CET', {}, true],
      ['UTC', {}, false],
      ['Etc/GMT-1', {}, false],
      [null, {}, false],
      [null, { country: null }, false],
      [null, { country: 'Österreich' }, true],
      [null, { country: 'Pays-Bas' }, true],
      [null, { country: 'ESPAÑA' }, true],
      [null, { country: 'UK' }, true],
      [null, { country: 'Deutsch' }, false],
      [null, { country: 49 }, false],
      [null, { city: 'Paris' }, false],
    ])('with the time zone %s and the custom fields %j: %s', async (timezone, fields, expected) => {
      expect(await isNeeded(timezone, fields)).toBe(expected);
    });

    it('if the setting is auto, which is the default, and is asked for by none or all otherwise', async () => {
      const american = await given.contact({ timezone: 'America/New_York' });
      const french = await given.contact({ timezone: 'Europe/Paris' });
      const german = await given.contact({ custom_fields: { country: 'Germany' } });
      const contacts = [american, french, german];
      const sent: { id: number }[] = [];
      for (const { id } of contacts) sent.push(await given.sentMessage(id));
      const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
      const measuredOf = async () => {
        const ids = await trackedMessages(
          scope,
          sent.map(({ id }) => id),
        );
        return sent.map(({ id }) => ids.includes(id));
      };
      expect((await api.get('/settings')).data.tracking_consent_required).toBe('auto');
      expect(await measuredOf()).toEqual([true, false, false]);
      await api.put('/settings', { tracking_consent_required: false });
      expect(await measuredOf()).toEqual([true, true, true]);
      await api.put('/settings', { tracking_consent_required: true });
      expect(await measuredOf()).toEqual([false, false, false]);
      await api.put('/settings', { tracking_consent_required: null });
      await api.put(`/contacts/${french.id}`, { tracking_consent: 'granted' });
      expect(await measuredOf()).toEqual([true, true, false]);
    });
  });

  // The last tests, because the worker also classifies the opens and clicks of which the others do it themselves.
  describe('in a message', () => {
    beforeAll(() => service.startWorker());

    /** Sends one message to each contact, and returns what its mail contains of links and pictures. */
    const sentAddresses = async (contacts: readonly { id: number; email: string }[]): Promise<string[][]> => {
      await given.mailbox(sink);
      const ids = contacts.map(({ id }) => id);
      await given.running(ids, { steps: [{ subject: 'Hello', body: BODY }], unsubscribe_footer: false });
      await eventually(() => contacts.forEach(({ email }) => expect(sink.to(email)).toHaveLength(1)));
      return Promise.all(
        contacts.map(async ({ email }) => {
          const { html } = await simpleParser(sink.to(email)[0]?.raw ?? '');
          return [...String(html).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => String(url));
        }),
      );
    };

    it('leaves the links of the template and adds no pixel if the contact has refused', async () => {
      const [asked, refused] = await sentAddresses([
        await given.contact(),
        await given.contact({ tracking_consent: 'refused' }),
      ]);
      expect(refused).toEqual(['https://acme.example/offer']);
      expect(asked).toHaveLength(3);
      expect(asked?.every((url) => url.startsWith('http://outreach.test/t/'))).toBe(true);
    });

    it('must be granted if the workspace requires that', async () => {
      expect((await api.put('/settings', { tracking_consent_required: true })).data).toMatchObject({
        tracking_consent_required: true,
      });
      const [unknown, granted] = await sentAddresses([
        await given.contact(),
        await given.contact({ tracking_consent: 'granted' }),
      ]);
      expect(unknown).toEqual(['https://acme.example/offer']);
      expect(granted).toHaveLength(3);
    });

    it('must be granted in Europe if the workspace has not set anything', async () => {
      const [outside, inside] = await sentAddresses([
        await given.contact({ timezone: 'Asia/Tokyo' }),
        await given.contact({ timezone: 'Europe/Rome' }),
      ]);
      expect(outside).toHaveLength(3);
      expect(inside).toEqual(['https://acme.example/offer']);
    });

    it.each([
      ['must be granted', { tracking_consent: 'unknown' }, { tracking_consent_required: true }],
      ['is refused', { tracking_consent: 'refused' }, {}],
    ])('leaves no byte in the raw message that could measure, if it %s', async (_, consent, settings) => {
      await api.put('/settings', settings);
      await given.mailbox(sink);
      const contact = await given.contact({ ...consent, first_name: 'Ada' });
      const steps = [{ subject: 'Hello {{ first_name }}', body: `${BODY}<p>{{ first_name }}</p>` }];
      await given.running([contact.id], { steps, unsubscribe_footer: false });
      const raw = await eventually(() => {
        expect(sink.to(contact.email)).toHaveLength(1);
        return sink.to(contact.email)[0]?.raw ?? '';
      });
      const mail = await simpleParser(raw);
      expect(mail.html).toBe(steps[0]?.body.replaceAll('{{ first_name }}', 'Ada'));
      expect(mail.text?.trim()).toBe('Hello, our offer <https://acme.example/offer>\n\nAda');
      expect(mail.attachments).toEqual([]);
      expect([...mail.headers.keys()].sort()).toEqual([
        ...['content-type', 'date', 'feedback-id', 'from', 'list', 'message-id', 'mime-version', 'subject', 'to'],
      ]);
      // The whole message with its encoding undone: the link of the template, and the one to unsubscribe.
      const decoded = raw
        .replaceAll('=\r\n', '')
        .replaceAll('=3D', '=')
        .replaceAll(/\r\n[ \t]+/g, ' ');
      const urls = [...decoded.matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(([url]) => url);
      expect(new Set(urls)).toEqual(
        new Set(['https://acme.example/offer', expect.stringMatching(/^http:\/\/outreach\.test\/u\/[\w-]+$/)]),
      );
      expect(decoded).not.toMatch(/<img|\/t\/[oc]\/|background|url\(/i);
    });
  });
});

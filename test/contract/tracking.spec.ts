import { Signer } from '../../src/platform/crypto/index.js';
import { HIDDEN_LINK, MessageLinks } from '../../src/sending/index.js';
import { UndecidedEvents } from '../../src/tracking/events/undecided-events.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { recordMessageEvents, type PublishedMessageEvent } from '../support/published-events.js';
import { startService, type TestService } from '../support/service.js';

const READER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0' };
const TARGET = 'https://acme.example/offer?a=1&b=2#top';
/** The longest target of a link that is redirected: 2,048 bytes. */
const LONG = `https://acme.example/${'x'.repeat(2027)}`;

describe('opens and clicks', () => {
  let service: TestService;
  let api: ApiClient;
  let given: Given;
  let links: MessageLinks;
  let published: PublishedMessageEvent[];

  beforeAll(async () => {
    service = await startService({ LOG_LEVEL: 'fatal' });
    links = service.app.get(MessageLinks, { strict: false });
    published = recordMessageEvents(service);
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    // What an earlier test left undecided would be told of in this one.
    await service.database.query('DELETE FROM tracking_events');
    published.length = 0;
  });
  afterAll(() => service.stop());

  const sent = async () => given.sentMessage((await given.contact()).id);
  const ours = (url: string) => url.replace('http://outreach.test', service.url);
  const picture = (messageId: number, workspaceId = api.workspaceId) =>
    ours(links.openUrl({ workspace_id: workspaceId, message_id: messageId }));
  const link = (messageId: number, number = 1, url = TARGET) =>
    ours(links.clickUrl({ workspace_id: api.workspaceId, message_id: messageId, link: number, url }));
  const visit = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...READER, ...init.headers } });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };

  const classifyDue = () => service.app.get(UndecidedEvents, { strict: false }).classify();
  /** Lets so many seconds pass for all hits, then decides what is due. */
  const pass = async (seconds: number) => {
    await service.database.query(
      `UPDATE tracking_events SET created_at = created_at - make_interval(secs => $1::int) WHERE workspace_id = $2`,
      [seconds, api.workspaceId],
    );
    await classifyDue();
  };
  const classifications = async (): Promise<string[]> => {
    const events = await service.database.query<{ classification: string }>(
      'SELECT classification FROM tracking_events WHERE workspace_id = $1 ORDER BY id',
      [api.workspaceId],
    );
    return events.map(({ classification }) => classification);
  };
  const listed = async (campaign: { id: number }) => (await api.get(`/campaigns/${campaign.id}/messages`)).data[0];
  const counts = async (campaign: { id: number }) => (await api.get(`/campaigns/${campaign.id}/stats`)).data;
  const nothingCounts = async (campaign: { id: number }) => {
    expect(await listed(campaign)).toMatchObject({ opened_at: null, clicked_at: null });
    expect((await counts(campaign)).messages).toMatchObject({ opened: 0, clicked: 0, open_rate: 0, click_rate: 0 });
    expect(published).toEqual([]);
  };

  it('shows one transparent pixel, kept by nobody', async () => {
    const { id } = await sent();
    const { status, headers, body } = await visit(picture(id));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/gif');
    expect(headers.get('content-length')).toBe('43');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.subarray(0, 10)).toEqual(Buffer.from('GIF89a\x01\0\x01\0', 'latin1'));
    const head = await visit(picture(id), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), head.body.length]).toEqual([200, 'image/gif', 0]);
  });

  it('counts a message as opened once, by its first open, and tells of it once', async () => {
    const { id, campaign } = await sent();
    await visit(picture(id));
    await pass(10);
    const { opened_at: openedAt } = await listed(campaign);
    expect(Date.now() - Date.parse(openedAt)).toBeGreaterThanOrEqual(10_000);
    for (let again = 0; again < 3; again += 1) await visit(picture(id));
    await pass(10);
    expect(await classifications()).toEqual(['counted', 'counted', 'counted', 'counted']);
    expect(await listed(campaign)).toMatchObject({ opened_at: openedAt, clicked_at: null });
    const payload = { messages: expect.anything(), occurred_at: new Date(openedAt) };
    expect(published).toEqual([{ name: 'email.opened', ids: [id], payload }]);
    const stats = await counts(campaign);
    expect(stats.messages).toMatchObject({ sent: 1, opened: 1, clicked: 0, open_rate: 1, click_rate: 0 });
    expect(stats.steps).toMatchObject([{ opened: 1, open_rate: 1 }]);
  });

  it('leads to the target of a link, and counts each click, and an open with it', async () => {
    const { id, campaign } = await sent();
    const { status, headers } = await visit(link(id));
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, TARGET, 'no-store']);
    await visit(link(id, 2, 'https://acme.example'));
    await pass(10);
    await visit(link(id));
    await pass(10);
    const message = await listed(campaign);
    expect(message.clicked_at).toEqual(expect.stringMatching(/Z$/));
    expect(message.opened_at).toBe(message.clicked_at);
    expect(published.map(({ name, ids, payload }) => [name, ids, payload.url])).toEqual([
      ['email.opened', [id], undefined],
      ['email.clicked', [id], TARGET],
      ['email.clicked', [id], 'https://acme.example'],
      ['email.clicked', [id], TARGET],
    ]);
    expect(published[1]?.payload.occurred_at).toEqual(new Date(message.clicked_at));
    expect((await counts(campaign)).messages).toMatchObject({ opened: 1, clicked: 1, open_rate: 1, click_rate: 1 });
  });

  it.each([
    ['https://acme.example', 'https://acme.example'],
    ['HTTP://ACME.example/A%20b?c=%E9', 'HTTP://ACME.example/A%20b?c=%E9'],
    ['https://acme.example/é ü?q="<x>"', 'https://acme.example/%C3%A9%20%C3%BC?q=%22%3Cx%3E%22'],
    [LONG, LONG],
  ])('leads to %.40s', async (url, location) => {
    const { id } = await sent();
    const answer = await visit(link(id, 1, url));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  });

  it('decides nothing before it is known who follows', async () => {
    const { id, campaign } = await sent();
    await visit(link(id));
    await pass(1);
    expect(await classifications()).toEqual(['undecided']);
    await nothingCounts(campaign);
    await visit(picture(id));
    await pass(2);
    expect(await classifications()).toEqual(['counted', 'undecided']);
  });

  it.each<[string, RequestInit]>([
    ['head', { method: 'HEAD' }],
    ['prefetch', { headers: { purpose: 'prefetch' } }],
    ['prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['prefetch', { headers: { 'x-moz': 'prefetch' } }],
    ['prefetch', { headers: { 'x-purpose': 'preview' } }],
    ['agent', { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  ])('records without counting: %s %j', async (classification, init) => {
    const { id, campaign } = await sent();
    expect([(await visit(picture(id), init)).status, (await visit(link(id), init)).status]).toEqual([200, 302]);
    await pass(10);
    expect(await classifications()).toEqual([classification, classification]);
    await nothingCounts(campaign);
  });

  it('takes for a scanner who follows the link that nobody sees', async () => {
    const { id, campaign } = await sent();
    await visit(picture(id));
    await visit(link(id, 1));
    expect(await visit(link(id, HIDDEN_LINK))).toMatchObject({ status: 302 });
    await visit(link(id, 2));
    await pass(10);
    await visit(link(id, 1));
    await pass(10);
    expect(await classifications()).toEqual(Array.from({ length: 5 }, () => 'hidden_link'));
    await nothingCounts(campaign);
    await pass(60);
    await visit(link(id, 1));
    await pass(10);
    expect((await counts(campaign)).messages).toMatchObject({ opened: 1, clicked: 1 });
  });

  it('takes for a scanner who follows many links of one message at once', async () => {
    const { id, campaign } = await sent();
    await Promise.all([visit(picture(id)), ...[1, 2, 3, 4, 5].map((number) => visit(link(id, number)))]);
    await pass(10);
    expect(new Set(await classifications())).toEqual(new Set(['many_links']));
    await nothingCounts(campaign);
  });

  it('takes for a person who is fast, or follows links of several messages', async () => {
    const [first, second] = [await sent(), await sent()];
    await Promise.all(
      [first, second].flatMap(({ id }) => [visit(picture(id)), visit(link(id, 1)), visit(link(id, 2))]),
    );
    await pass(10);
    for (const { campaign } of [first, second]) {
      expect((await counts(campaign)).messages).toMatchObject({ opened: 1, clicked: 1 });
    }
  });

  it('counts once, however many load a picture and look for what is due at the same time', async () => {
    const { id } = await sent();
    const [pictures, clicks] = [picture(id), link(id)].map((url) => Array.from({ length: 10 }, () => visit(url)));
    await Promise.all([...(pictures ?? []), ...(clicks ?? [])]);
    await Promise.all([pass(5), pass(5), pass(5), pass(5)]);
    const names = published.map(({ name }) => name).sort();
    expect(names).toEqual([...Array.from({ length: 10 }, () => 'email.clicked'), 'email.opened']);
    expect(new Set(await classifications())).toEqual(new Set(['counted']));
  });

  it('answers 404 to what was not made here, or for something else: as a page where people end up', async () => {
    const { id } = await sent();
    const signer = service.app.get(Signer, { strict: false });
    const [pixel, click] = [picture(id), link(id)].map((url) => new URL(url).pathname.split('/').at(-1) ?? '');
    const other = signer.signIds('unsubscribe', [api.workspaceId, id]);
    const forClick = ['x', 'undefined', `${click}A`, click?.slice(0, -1), pixel, other, '%00', '🙂', 'x'.repeat(8000)];
    for (const token of forClick) {
      const { status, headers, body } = await visit(`${service.url}/t/c/${token}`);
      expect([token, status, headers.get('content-type')]).toEqual([token, 404, 'text/html; charset=utf-8']);
      expect(body.toString()).toContain('This link does not work');
    }
    for (const token of [
      'x.gif',
      `A${pixel}`,
      pixel?.replace('.gif', ''),
      `${click}.gif`,
      `${other}.gif`,
      '%00.gif',
      '.gif',
    ]) {
      const { status, headers } = await visit(`${service.url}/t/o/${token}`);
      expect([token, status, headers.get('content-type')]).toEqual([token, 404, 'application/json; charset=utf-8']);
    }
    expect(await classifications()).toEqual([]);
  });

  it('changes nothing of another workspace', async () => {
    const theirs = await sent();
    api = await service.client();
    expect((await visit(picture(theirs.id))).status).toBe(200);
    expect((await visit(link(theirs.id))).status).toBe(302);
    const events = await service.database.query('SELECT 1 FROM tracking_events WHERE message_id = $1', [theirs.id]);
    expect([events, await classifications()]).toEqual([[], []]);
  });

  it('leads to the target when contact and message are gone, and forgets who came before', async () => {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    await visit(link(id));
    await api.delete(`/contacts/${contact.id}`);
    expect(await classifications()).toEqual([]);
    expect(await visit(link(id))).toMatchObject({ status: 302 });
    expect((await visit(picture(id))).status).toBe(200);
    expect(await classifications()).toEqual([]);
    await pass(10);
    expect(published).toEqual([]);
  });

  it('leads to the target while hits cannot be written', async () => {
    const { id } = await sent();
    await service.database.query('ALTER TABLE tracking_events RENAME TO away');
    try {
      expect((await visit(link(id))).headers.get('location')).toBe(TARGET);
      expect((await visit(picture(id))).status).toBe(200);
    } finally {
      await service.database.query('ALTER TABLE away RENAME TO tracking_events');
    }
  });

  it('records no more than says something', async () => {
    const { id } = await sent();
    await service.database.query(
      `INSERT INTO tracking_events (workspace_id, message_id, kind, classification)
       SELECT $1, $2, 'open', 'counted' FROM generate_series(1, 999)`,
      [api.workspaceId, id],
    );
    for (const url of [picture(id), picture(id), link(id)]) await visit(url);
    expect((await classifications()).length).toBe(1001);
    expect((await classifications()).slice(-2)).toEqual(['undecided', 'undecided']);
  });

  it('takes nothing but GET and HEAD', async () => {
    const { id } = await sent();
    for (const url of [picture(id), link(id)]) {
      const { status, headers } = await visit(url, { method: 'POST' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('unsubscribes nobody, whoever follows links', async () => {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    const unsubscribe = ours(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id }));
    for (const url of [unsubscribe, link(id), link(id, HIDDEN_LINK)]) await visit(url);
    await pass(10);
    expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('active');
  });
});

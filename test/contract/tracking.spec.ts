import { HIDDEN_LINK } from '@outreach/bot-detection';
import { MessageLinks } from '../../src/sending/index.js';
import { Signer } from '@outreach/keyring';
import { UndecidedEvents } from '../../src/tracking/events/undecided-events.cross-tenant.js';
import { SendResults } from '../../src/sending/results/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { recordMessageEvents, type PublishedMessageEvent } from '../support/published-events.js';
import { useService } from '../support/service.js';

const READER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0' };
const TARGET = 'https://acme.example/offer?a=1&b=2#top';
/** The longest URL that is redirected: 2,048 bytes. */
const LONG = `https://acme.example/${'x'.repeat(2027)}`;

describe('opens and clicks', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let api: ApiClient;
  let given: Given;
  let links: MessageLinks;
  let published: PublishedMessageEvent[];

  beforeAll(() => {
    links = service.app.get(MessageLinks, { strict: false });
    published = recordMessageEvents(service);
  });
  beforeEach(async () => {
    api = await service.client();
    // What counts depends on the seconds between requests.
    service.clocks.stop(api.workspaceId);
    given = new Given(api, service.database);
    // Undecided events of an earlier test would be published in this one.
    await service.database.query('DELETE FROM tracking_events');
    published.length = 0;
  });

  const sent = async () => given.sentMessage((await given.contact()).id);
  const ours = (url: string) => url.replace('http://outreach.test', service.url);
  const pixel = (messageId: number, workspaceId = api.workspaceId) =>
    ours(links.openUrl({ workspace_id: workspaceId, message_id: messageId }));
  const link = (messageId: number, number = 1, url = TARGET) =>
    ours(links.clickUrl({ workspace_id: api.workspaceId, message_id: messageId, link: number, url }));
  const get = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...READER, ...init.headers } });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };

  const classifyDue = () => service.app.get(UndecidedEvents, { strict: false }).classify();
  /** Puts the clock of the workspace forward, then classifies the due events. */
  const pass = async (seconds: number) => {
    service.clocks.advance(api.workspaceId, { seconds });
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

  it('returns one transparent pixel that is not cached', async () => {
    const { id } = await sent();
    const { status, headers, body } = await get(pixel(id));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/gif');
    expect(headers.get('content-length')).toBe('43');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.subarray(0, 10)).toEqual(Buffer.from('GIF89a\x01\0\x01\0', 'latin1'));
    const head = await get(pixel(id), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), head.body.length]).toEqual([200, 'image/gif', 0]);
  });

  it('counts a message as opened once, at the time of its first open, and publishes one event', async () => {
    const { id, campaign } = await sent();
    await get(pixel(id));
    await pass(10);
    const { opened_at: openedAt } = await listed(campaign);
    expect(service.clocks.clockOf(api.workspaceId).now().getTime() - Date.parse(openedAt)).toBeGreaterThanOrEqual(
      10_000,
    );
    for (let again = 0; again < 3; again += 1) await get(pixel(id));
    await pass(10);
    expect(await classifications()).toEqual(['counted', 'counted', 'counted', 'counted']);
    expect(await listed(campaign)).toMatchObject({ opened_at: openedAt, clicked_at: null });
    const payload = { messages: expect.anything(), occurred_at: new Date(openedAt) };
    expect(published).toEqual([{ name: 'email.opened', ids: [id], payload }]);
    const stats = await counts(campaign);
    expect(stats.messages).toMatchObject({ sent: 1, opened: 1, clicked: 0, open_rate: 1, click_rate: 0 });
    expect(stats.steps).toMatchObject([{ opened: 1, open_rate: 1 }]);
  });

  it('redirects to the target of a link, and counts each click, which implies an open', async () => {
    const { id, campaign } = await sent();
    const { status, headers } = await get(link(id));
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, TARGET, 'no-store']);
    await get(link(id, 2, 'https://acme.example'));
    await pass(10);
    await get(link(id));
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
  ])('redirects to %.40s', async (url, location) => {
    const { id } = await sent();
    const response = await get(link(id, 1, url));
    expect([response.status, response.headers.get('location')]).toEqual([302, location]);
  });

  it('leaves events undecided until later requests could show a bot', async () => {
    const { id, campaign } = await sent();
    await get(link(id));
    await pass(1);
    expect(await classifications()).toEqual(['undecided']);
    await nothingCounts(campaign);
    await get(pixel(id));
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
  ])('stores but does not count requests of the kind %s: %j', async (classification, init) => {
    const { id, campaign } = await sent();
    expect([(await get(pixel(id), init)).status, (await get(link(id), init)).status]).toEqual([200, 302]);
    await pass(10);
    expect(await classifications()).toEqual([classification, classification]);
    await nothingCounts(campaign);
  });

  it('treats requests around a click on the hidden link as those of a bot', async () => {
    const { id, campaign } = await sent();
    await get(pixel(id));
    await get(link(id, 1));
    expect(await get(link(id, HIDDEN_LINK))).toMatchObject({ status: 302 });
    await get(link(id, 2));
    await pass(10);
    await get(link(id, 1));
    await pass(10);
    expect(await classifications()).toEqual(Array.from({ length: 5 }, () => 'hidden_link'));
    await nothingCounts(campaign);
    await pass(60);
    await get(link(id, 1));
    await pass(10);
    expect((await counts(campaign)).messages).toMatchObject({ opened: 1, clicked: 1 });
  });

  it('treats concurrent clicks on many links of one message as those of a bot', async () => {
    const { id, campaign } = await sent();
    await Promise.all([get(pixel(id)), ...[1, 2, 3, 4, 5].map((number) => get(link(id, number)))]);
    await pass(10);
    expect(new Set(await classifications())).toEqual(new Set(['many_links']));
    await nothingCounts(campaign);
  });

  it('shows the requests of bots in messages and statistics, beside what counts', async () => {
    const { id, campaign } = await sent();
    const agent = { headers: { 'user-agent': 'curl/8.5.0' } };
    await get(pixel(id), agent);
    await get(pixel(id), { method: 'HEAD' });
    expect(await listed(campaign)).toMatchObject({ bot_opens: 2, bot_clicks: 0, bot_reason: 'head' });
    await Promise.all([1, 2, 3].map((number) => get(link(id, number))));
    await pass(10);
    expect(await listed(campaign)).toMatchObject({ bot_opens: 2, bot_clicks: 3, bot_reason: 'many_links' });
    const { messages, steps } = await counts(campaign);
    const botsOnly = { opened: 0, opened_raw: 1, clicked: 0, clicked_raw: 1, open_rate: 0, click_rate: 0 };
    expect([messages, steps[0]]).toMatchObject([botsOnly, botsOnly]);
    await pass(60);
    await get(pixel(id));
    await pass(10);
    expect((await counts(campaign)).messages).toMatchObject({ opened: 1, opened_raw: 1, clicked: 0, clicked_raw: 1 });
    expect(await listed(campaign)).toMatchObject({ bot_opens: 2, bot_clicks: 3, opened_at: expect.any(String) });
  });

  it('counts a click of a bot as an open in the figures that include bots, and nothing of a message without requests', async () => {
    const [clicked, untouched] = [await sent(), await sent()];
    await get(link(clicked.id, HIDDEN_LINK));
    expect((await counts(clicked.campaign)).messages).toMatchObject({ opened_raw: 1, clicked_raw: 1 });
    expect((await counts(untouched.campaign)).messages).toMatchObject({ opened_raw: 0, clicked_raw: 0 });
    expect(await listed(untouched.campaign)).toMatchObject({ bot_opens: 0, bot_clicks: 0, bot_reason: null });
  });

  it('records what bots do with a message whose result is not recorded yet, and keeps it with the result', async () => {
    const { id, campaign } = await sent();
    await given.unrecorded(id);
    await get(pixel(id), { method: 'HEAD' });
    const shown = { id, bot_opens: 1, bot_clicks: 0, bot_reason: 'head' };
    expect(await listed(campaign)).toMatchObject({ ...shown, status: 'sending' });
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    await scope.transaction((tx) => service.app.get(SendResults, { strict: false }).setSent(tx, [id]));
    expect(await listed(campaign)).toMatchObject({ ...shown, status: 'sent' });
  });

  it('adds concurrent requests of bots for one message without losing any', async () => {
    const { id, campaign } = await sent();
    await Promise.all(Array.from({ length: 30 }, (_, n) => get(n % 2 ? pixel(id) : link(id, n), { method: 'HEAD' })));
    expect(await listed(campaign)).toMatchObject({ bot_opens: 15, bot_clicks: 15 });
  });

  it('counts fast clicks on few links, and clicks in several messages', async () => {
    const [first, second] = [await sent(), await sent()];
    await Promise.all([first, second].flatMap(({ id }) => [get(pixel(id)), get(link(id, 1)), get(link(id, 2))]));
    await pass(10);
    for (const { campaign } of [first, second]) {
      expect((await counts(campaign)).messages).toMatchObject({ opened: 1, clicked: 1 });
    }
  });

  it('counts each event once if requests and classifications are concurrent', async () => {
    const { id } = await sent();
    const [pixels, clicks] = [pixel(id), link(id)].map((url) => Array.from({ length: 10 }, () => get(url)));
    await Promise.all([...(pixels ?? []), ...(clicks ?? [])]);
    await Promise.all([pass(5), pass(5), pass(5), pass(5)]);
    const names = published.map(({ name }) => name).sort();
    expect(names).toEqual([...Array.from({ length: 10 }, () => 'email.clicked'), 'email.opened']);
    expect(new Set(await classifications())).toEqual(new Set(['counted']));
  });

  it('returns 404 for invalid tokens, as a page for clicks', async () => {
    const { id } = await sent();
    const signer = service.app.get(Signer, { strict: false });
    const [pixelToken, click] = [pixel(id), link(id)].map((url) => new URL(url).pathname.split('/').at(-1) ?? '');
    const other = signer.signIds('unsubscribe', [api.workspaceId, id]);
    const forClick = [
      'x',
      'undefined',
      `${click}A`,
      click?.slice(0, -1),
      pixelToken,
      other,
      '%00',
      '🙂',
      'x'.repeat(8000),
    ];
    for (const token of forClick) {
      const { status, headers, body } = await get(`${service.url}/t/c/${token}`);
      expect([token, status, headers.get('content-type')]).toEqual([token, 404, 'text/html; charset=utf-8']);
      expect(body.toString()).toContain('This link does not work');
    }
    for (const token of [
      'x.gif',
      `A${pixelToken}`,
      pixelToken?.replace('.gif', ''),
      `${click}.gif`,
      `${other}.gif`,
      '%00.gif',
      '.gif',
    ]) {
      const { status, headers } = await get(`${service.url}/t/o/${token}`);
      expect([token, status, headers.get('content-type')]).toEqual([token, 404, 'application/json; charset=utf-8']);
    }
    expect(await classifications()).toEqual([]);
  });

  it('does not change other workspaces', async () => {
    const theirs = await sent();
    api = await service.client();
    expect((await get(pixel(theirs.id))).status).toBe(200);
    expect((await get(link(theirs.id))).status).toBe(302);
    const events = await service.database.query('SELECT 1 FROM tracking_events WHERE message_id = $1', [theirs.id]);
    expect([events, await classifications()]).toEqual([[], []]);
  });

  it('redirects even if contact and message were deleted, and deletes their tracking events', async () => {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    await get(link(id));
    await api.delete(`/contacts/${contact.id}`);
    expect(await classifications()).toEqual([]);
    expect(await get(link(id))).toMatchObject({ status: 302 });
    expect((await get(pixel(id))).status).toBe(200);
    expect(await classifications()).toEqual([]);
    await pass(10);
    expect(published).toEqual([]);
  });

  it('counts the open of a message whose result is not recorded yet, and keeps it with the result', async () => {
    const { id, campaign } = await sent();
    await given.unrecorded(id);
    expect((await get(pixel(id))).status).toBe(200);
    await pass(60);
    const waiting = await listed(campaign);
    expect(waiting).toMatchObject({ id, status: 'sending', opened_at: expect.any(String) });
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    await scope.transaction((tx) => service.app.get(SendResults, { strict: false }).setSent(tx, [id]));
    expect(await listed(campaign)).toMatchObject({ id, status: 'sent', opened_at: waiting.opened_at });
  });

  it('redirects even if tracking events cannot be stored', async () => {
    const { id } = await sent();
    await service.database.query('ALTER TABLE tracking_events RENAME TO renamed');
    try {
      expect((await get(link(id))).headers.get('location')).toBe(TARGET);
      expect((await get(pixel(id))).status).toBe(200);
    } finally {
      await service.database.query('ALTER TABLE renamed RENAME TO tracking_events');
    }
  });

  it('stores at most 1,000 events of one kind per message', async () => {
    const { id } = await sent();
    await service.database.query(
      `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification)
       SELECT $1, id, enrollment_id, 'open', 'counted' FROM messages, generate_series(1, 999) WHERE id = $2`,
      [api.workspaceId, id],
    );
    for (const url of [pixel(id), pixel(id), link(id)]) await get(url);
    expect((await classifications()).length).toBe(1001);
    expect((await classifications()).slice(-2)).toEqual(['undecided', 'undecided']);
  });

  it('publishes nothing of a request that is not stored, because the message has 1,000 of its kind', async () => {
    const { id, campaign } = await sent();
    await service.database.query(
      `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, classification)
       SELECT $1, id, enrollment_id, 'open', 'head' FROM messages, generate_series(1, 999) WHERE id = $2`,
      [api.workspaceId, id],
    );
    for (let request = 0; request < 3; request += 1) await get(pixel(id), { method: 'HEAD' });
    expect(await listed(campaign)).toMatchObject({ bot_opens: 1 });
  });

  it('returns 405 for methods other than GET and HEAD', async () => {
    const { id } = await sent();
    for (const url of [pixel(id), link(id)]) {
      const { status, headers } = await get(url, { method: 'POST' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('does not unsubscribe a contact when links are requested', async () => {
    const contact = await given.contact();
    const { id } = await given.sentMessage(contact.id);
    const unsubscribe = ours(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: id }));
    for (const url of [unsubscribe, link(id), link(id, HIDDEN_LINK)]) await get(url);
    await pass(10);
    expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('active');
  });
});

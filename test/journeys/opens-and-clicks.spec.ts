import { type ParsedMail, simpleParser } from 'mailparser';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const READER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0' };
const BODY = `<html><body>
<p>Hello {{ first_name }}, <a href="https://acme.example/?for={{ email }}&amp;x=1">see</a></p>
<!--[if mso]><a href="https://acme.example/outlook">see</a><![endif]-->
<p><a href='https://acme.example/more'>More</a> <a href="mailto:sales@acme.example">Write</a></p>
</body></html>`;

describe('opens and clicks', () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
    await given.mailbox(sink);
  });
  afterAll(() => sink.stop());

  const mailTo = async (recipient: string): Promise<ParsedMail> => {
    await eventually(() => expect(sink.to(recipient)).toHaveLength(1));
    return simpleParser(sink.to(recipient)[0]?.raw ?? '');
  };
  const htmlOf = (mail: ParsedMail): string => String(mail.html);
  const trackedLinks = (html: string): string[] =>
    [...html.matchAll(/http:\/\/outreach\.test\/t\/c\/[\w-]+/g)].map(([url]) => url);
  const pixelUrlOf = (html: string): string => /http:\/\/outreach\.test\/t\/o\/[\w-]+\.gif/.exec(html)?.[0] ?? '';
  const get = (url = '') =>
    fetch(url.replace('http://outreach.test', service.url), { redirect: 'manual', headers: READER });

  it('by people are counted in the statistics, those by bots are not', async () => {
    const recipient = (name: string) => given.contact({ email: `${name}@recipient.example`, first_name: name });
    const [ada, grace, robot] = [await recipient('ada'), await recipient('grace'), await recipient('robot')];
    const campaign = await given.running([ada.id, grace.id, robot.id], { steps: [{ subject: 'Hello', body: BODY }] });

    const mail = await mailTo(ada.email);
    const [see, more, hidden, ...others] = trackedLinks(htmlOf(mail));
    expect([see !== more && more !== hidden, others]).toEqual([true, []]);
    expect(htmlOf(mail)).toContain('<!--[if mso]><a href="https://acme.example/outlook">see</a><![endif]-->');
    expect(htmlOf(mail)).toContain('<a href="mailto:sales@acme.example">');
    expect(mail.text).toContain(`see <https://acme.example/?for=${ada.email}&x=1>`);
    expect(mail.text).not.toContain('/t/c/');

    // What counts depends on the seconds between requests.
    service.clocks.stop(api.workspaceId, service.clocks.clockOf(api.workspaceId).now());
    const pixel = await get(pixelUrlOf(htmlOf(mail)));
    expect([pixel.status, pixel.headers.get('content-type')]).toEqual([200, 'image/gif']);
    const followed = await get(see);
    expect([followed.status, followed.headers.get('location')]).toEqual([
      302,
      `https://acme.example/?for=${ada.email}&x=1`,
    ]);
    await get(pixelUrlOf(htmlOf(await mailTo(grace.email))));
    const scanned = htmlOf(await mailTo(robot.email));
    await Promise.all([pixelUrlOf(scanned), ...trackedLinks(scanned)].map((url) => get(url)));

    service.clocks.advance(api.workspaceId, { seconds: 10 });
    await eventually(async () => {
      const undecided = await service.database.query(
        `SELECT 1 FROM tracking_events WHERE classification = 'undecided'`,
      );
      expect(undecided).toEqual([]);
    });
    const { data: stats } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(stats.messages).toMatchObject({ sent: 3, opened: 2, clicked: 1, open_rate: 2 / 3, click_rate: 1 / 3 });
    const { data: messages } = await api.get(`/campaigns/${campaign.id}/messages?contact_id=${ada.id}`);
    expect(messages).toMatchObject([
      { email: ada.email, opened_at: expect.stringMatching(/Z$/), clicked_at: expect.stringMatching(/Z$/) },
    ]);
    const recipients = async (query: string): Promise<string[]> =>
      (await api.get(`/campaigns/${campaign.id}/messages?${query}`)).data.map((each: { email: string }) => each.email);
    expect(await recipients('opened=1')).toEqual([grace.email, ada.email]);
    expect(await recipients('opened=1&clicked=0')).toEqual([grace.email]);
    expect(await recipients('opened=0')).toEqual([robot.email]);
    expect(await recipients('replied=1')).toEqual([]);
    expect((await api.get(`/campaigns/${campaign.id}/messages?opened=yes`)).status).toBe(422);
  });

  it.each([
    [{ track_opens: false, track_clicks: false }, 0, false],
    [{ track_opens: true, track_clicks: false }, 0, true],
    [{ track_opens: false, track_clicks: true }, 3, false],
  ])('are tracked as the campaign is configured: %j', async (flags, links, hasPixel) => {
    const contact = await given.contact();
    await given.running([contact.id], { ...flags, steps: [{ subject: 'Hello', body: BODY }] });
    const html = htmlOf(await mailTo(contact.email));
    expect([trackedLinks(html).length, pixelUrlOf(html) !== '']).toEqual([links, hasPixel]);
    expect(html.includes('/t/')).toBe(links > 0 || hasPixel);
  });
});

import { findUnverifiedTrackingDomain, Workspaces } from '../../src/workspaces/index.js';
import { DueTrackingDomains } from '../../src/workspaces/settings/due-tracking-domains.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import { DnsServer, type Records } from '../support/dns-server.js';
import { eventually } from '../support/eventually.js';
import { TIMESTAMP } from '../support/expected.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';

const HOST = 'outreach.example';

describe('a tracking domain', () => {
  let dns: DnsServer;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let domain: string;
  let numbered = 0;

  beforeAll(async () => {
    dns = await DnsServer.start();
    dns.set(HOST, { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
    service = await startService({ ROLE: 'all', DNS_SERVERS: dns.address, PUBLIC_URL: `http://${HOST}:8080` });
    // Otherwise the worker could look up a domain at the same time as a test, which would not wait for it.
    await service.database.query(
      `UPDATE scheduled_tasks SET next_run_at = 'infinity' WHERE name = 'check-tracking-domains'`,
    );
    sink = await MailSink.start();
  });
  afterAll(async () => {
    await service.stop();
    await sink.stop();
    await dns.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    numbered += 1;
    domain = `links${numbered}.sender.example`;
  });

  const put = async (tracking_domain: string | null = domain) => (await api.put('/settings', { tracking_domain })).data;
  const settings = async () => (await api.get('/settings')).data;
  const verified = () => ({ tracking_domain: domain, tracking_domain_verified_at: expect.stringMatching(TIMESTAMP) });
  const unverified = () => ({ tracking_domain: domain, tracking_domain_verified_at: null });
  // The service gives up on a name server that a slow machine delays, so these look the domain up again until it is verified.
  const expectVerified = (of?: string) => eventually(async () => expect(await put(of)).toMatchObject(verified()));
  const expectAnHourLater = (expected: () => object) =>
    eventually(async () => {
      await anHourLater();
      expect(await settings()).toMatchObject(expected());
    });
  const anHourLater = async () => {
    await service.database.query(
      `UPDATE workspaces SET tracking_domain_checked_at = now() - interval '61 minutes' WHERE id = $1`,
      [api.workspaceId],
    );
    await service.app.get(DueTrackingDomains).checkDue();
  };

  it.each<[string, Records]>([
    ['an alias of the host', { CNAME: HOST }],
    ['an alias in upper case', { CNAME: 'OUTREACH.Example' }],
    ['the address of the host', { A: ['192.0.2.1'] }],
    ['both addresses of the host', { A: ['192.0.2.1'], AAAA: ['2001:db8:0::1'] }],
  ])('is verified if it is %s', async (_, records) => {
    dns.set(domain, records);
    await expectVerified();
    expect(await settings()).toMatchObject(verified());
  });

  it('is verified if it is an alias of an alias', async () => {
    dns.setAll({ [domain]: { CNAME: `cdn.${domain}` }, [`cdn.${domain}`]: { CNAME: HOST } });
    await expectVerified();
  });

  it.each<[string, Records]>([
    ['does not exist', {}],
    ['has another address', { A: ['192.0.2.2'] }],
    ['has another address, too', { A: ['192.0.2.1', '192.0.2.2'] }],
    ['is an alias of another host', { CNAME: 'other.example' }],
    ['is an alias of itself', { CNAME: 'self.example' }],
  ])('is saved, but not verified if it %s', async (_, records) => {
    dns.set('self.example', { CNAME: 'twice.example' });
    dns.set('twice.example', { CNAME: 'self.example' });
    dns.set(domain, records);
    expect(await put()).toMatchObject(unverified());
    expect(await settings()).toMatchObject(unverified());
  });

  it('is normalised, kept by other changes, and cleared by null', async () => {
    dns.set(domain, { CNAME: HOST });
    await expectVerified(` ${domain.toUpperCase()}. `);
    expect((await api.put('/settings', { postal_address: 'X' })).data).toMatchObject(verified());
    expect(await put(null)).toMatchObject({ tracking_domain: null, tracking_domain_verified_at: null });
    expect(await put('')).toMatchObject({ tracking_domain: null, tracking_domain_verified_at: null });
  });

  it.each([
    'https://links.example.com',
    'links.example.com/x',
    'links.example.com:8443',
    '192.0.2.1',
    '[2001:db8::1]',
    '2001:db8::1',
    'localhost',
    'a_b.example.com',
    '-a.example.com',
    'a..example.com',
    'a b.example.com',
    `${'x'.repeat(64)}.example.com`,
    `${'x.'.repeat(130)}com`,
    'a.example.123',
    'evil.example.com"><script>',
    5,
    ['links.example.com'],
  ])('is a host name: %j returns 422', async (tracking_domain) => {
    const { status, body } = await api.put('/settings', { tracking_domain });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['tracking_domain']]);
  });

  it('may be an international name', async () => {
    dns.set('xn--bcher-kva.sender.example', { CNAME: HOST });
    await eventually(async () =>
      expect(await put('bücher.sender.example')).toMatchObject({
        tracking_domain: 'xn--bcher-kva.sender.example',
        tracking_domain_verified_at: expect.any(String),
      }),
    );
  });

  it('is looked up again every hour, and with each change', async () => {
    dns.set(domain, { A: ['192.0.2.9'] });
    expect(await put()).toMatchObject(unverified());
    dns.set(domain, { CNAME: HOST });
    await service.app.get(DueTrackingDomains).checkDue();
    expect(await settings()).toMatchObject(unverified());
    await expectAnHourLater(verified);
    const since = (await settings()).tracking_domain_verified_at;
    await anHourLater();
    expect((await settings()).tracking_domain_verified_at).toBe(since);
    dns.set(domain, { A: ['192.0.2.9'] });
    await expectAnHourLater(unverified);
    dns.set(domain, { CNAME: HOST });
    await expectVerified();
  });

  it('remains as it is while its name servers do not respond, also if it is set again', async () => {
    dns.set(domain, { CNAME: HOST });
    await expectVerified();
    for (const misbehaviour of ['servfail', 'silent'] as const) {
      dns.misbehave(domain, misbehaviour);
      await anHourLater();
      expect(await settings()).toMatchObject(verified());
    }
    expect(await put()).toMatchObject(verified());
    expect(await put(`other.${domain}`)).toMatchObject({ tracking_domain_verified_at: null });
    dns.misbehave(domain);
  });

  it('is looked up for many workspaces, the ones that have waited longest first', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => service.client()));
    dns.set(domain, { A: ['192.0.2.9'] });
    for (const client of clients) await client.put('/settings', { tracking_domain: domain });
    dns.set(domain, { CNAME: HOST });
    const ids = clients.map(({ workspaceId }) => workspaceId);
    await eventually(async () => {
      await service.database.query(
        `UPDATE workspaces SET tracking_domain_checked_at = now() - interval '2 hours' WHERE id = ANY($1)`,
        [ids],
      );
      await service.app.get(DueTrackingDomains).checkDue();
      const results = await Promise.all(clients.map((client) => client.get('/settings')));
      expect(results.map(({ data }) => data)).toEqual(ids.map(() => expect.objectContaining(verified())));
    });
  });

  describe('in messages', () => {
    let given: Given;
    beforeEach(async () => {
      given = new Given(api, service.database);
      await given.mailbox(sink);
    });
    const received = async (): Promise<string> => {
      const { id, email } = await given.contact();
      const body = `<p><a href="https://target.example/">x</a> <a href="https://${domain}/u/x">y</a> <a href="{{ unsubscribe_url }}">z</a></p>`;
      await given.running([id], { steps: [{ subject: 'S', body }], track_opens: true, track_clicks: true });
      await eventually(() => expect(sink.to(email)).toHaveLength(1));
      return (sink.to(email)[0]?.raw ?? '').replace(/=\r\n/g, '').replaceAll('=3D', '=');
    };
    const hosts = (raw: string) => [
      ...new Set([...raw.matchAll(/(https?:\/\/[^/]+)\/(?:u|t)\//g)].map(([, host]) => host)),
    ];

    it('is in all links while it is verified', async () => {
      dns.set(domain, { CNAME: HOST });
      await expectVerified();
      const raw = await received();
      expect(hosts(raw)).toEqual([`https://${domain}`]);
      expect(raw).toMatch(new RegExp(`^List-Unsubscribe: <https://${domain}/u/[^>]+>`, 'm'));
      expect(raw).toContain(`https://${domain}/t/o/`);
      expect(raw.match(new RegExp(`https://${domain}/t/c/`, 'g'))).toHaveLength(2);
      expect(raw).not.toContain(HOST);
      const link = /https:\/\/[^/]+(\/t\/c\/[\w-]+)/.exec(raw)?.[1] ?? '';
      const headers = { host: domain };
      const response = await fetch(`${service.url}${link}`, { redirect: 'manual', headers });
      expect([response.status, response.headers.get('location')]).toEqual([302, 'https://target.example/']);
    });

    it('is in none of them if it leads somewhere else', async () => {
      dns.set(domain, { A: ['192.0.2.9'] });
      await put();
      const raw = await received();
      expect(hosts(raw.replaceAll(`https://${domain}/u/x`, ''))).toEqual([`http://${HOST}:8080`]);
    });
  });

  it('is named for the preflight only while it is not verified', async () => {
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    expect(await findUnverifiedTrackingDomain(scope)).toBeUndefined();
    dns.set(domain, { A: ['192.0.2.9'] });
    await put();
    expect(await findUnverifiedTrackingDomain(scope)).toBe(domain);
    dns.set(domain, { CNAME: HOST });
    await expectVerified();
    expect(await findUnverifiedTrackingDomain(scope)).toBeUndefined();
  });
});

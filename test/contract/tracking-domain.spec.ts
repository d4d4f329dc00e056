import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { WorkspaceDeletion } from '../../src/app/workspace-deletion/workspace-deletion.js';
import { MessageLinks } from '../../src/sending/index.js';
import { LinkHosts } from '../../src/tracking/hosts/link-hosts.cross-tenant.js';
import { settingFacts } from '../../src/sending/campaign-preflight/campaign-preflight.queries.js';
import { Workspaces } from '../../src/workspaces/index.js';
import { DueTrackingDomains } from '../../src/workspaces/settings/due-tracking-domains.cross-tenant.js';
import type { ApiClient } from '../support/api-client.js';
import { DnsServer, type Records } from '../support/dns-server.js';
import { eventually } from '../support/eventually.js';
import { TIMESTAMP } from '../support/expected.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { requestAt } from '../support/request-at.js';
import { startService, type TestService } from '../support/service.js';

const HOST = 'outreach.example';
const FORMER_HOST = 'former.example';

describe('a tracking domain', () => {
  let dns: DnsServer;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let domain: string;
  /** The value of the TXT record of the workspace. */
  let value: string;
  let numbered = 0;

  beforeAll(async () => {
    dns = await DnsServer.start();
    dns.set(HOST, { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
    service = await startService({
      ROLE: 'all',
      DNS_SERVERS: dns.address,
      PUBLIC_URL: `http://${HOST}:8080`,
      LINK_HOSTS: FORMER_HOST,
    });
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
    value = await valueOf(api);
  });

  const put = async (tracking_domain: string | null = domain, client = api) =>
    (await client.put('/settings', { tracking_domain })).data;
  const settings = async (client = api) => (await client.get('/settings')).data;
  const valueOf = async (client: ApiClient): Promise<string> => (await settings(client)).tracking_domain_txt_value;
  /** Publishes the records of a domain, and gives it to the workspaces with these values. */
  const publish = (records: Records = { CNAME: HOST }, values = [value], name = domain) =>
    dns.setAll({ [name]: records, [`_outreach-challenge.${name}`]: { TXT: values } });
  const verified = () => ({ tracking_domain: domain, tracking_domain_verified_at: expect.stringMatching(TIMESTAMP) });
  const unverified = () => ({ tracking_domain: domain, tracking_domain_verified_at: null });
  // The service gives up on a name server that a slow machine delays, so these look the domain up again until it is verified.
  const expectVerified = (of?: string, client = api) =>
    eventually(async () => expect(await put(of, client)).toMatchObject(verified()));
  const expectAnHourLater = (expected: () => object) =>
    eventually(async () => {
      await anHourLater();
      expect(await settings()).toMatchObject(expected());
    });
  const anHourLater = async () => {
    await service.database.query(
      `UPDATE workspaces SET tracking_domain_checked_at = now() - interval '61 minutes' WHERE tracking_domain = $1`,
      [domain],
    );
    await service.app.get(DueTrackingDomains).checkDue();
  };

  it.each<[string, Records]>([
    ['an alias of the host', { CNAME: HOST }],
    ['an alias in upper case', { CNAME: 'OUTREACH.Example' }],
    ['the address of the host', { A: ['192.0.2.1'] }],
    ['both addresses of the host', { A: ['192.0.2.1'], AAAA: ['2001:db8:0::1'] }],
  ])('is verified if it is %s', async (_, records) => {
    publish(records);
    await expectVerified();
    expect(await settings()).toMatchObject(verified());
  });

  it('is verified if it is an alias of an alias', async () => {
    publish({ CNAME: `cdn.${domain}` });
    dns.set(`cdn.${domain}`, { CNAME: HOST });
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
    publish(records);
    expect(await put()).toMatchObject(unverified());
    expect(await settings()).toMatchObject(unverified());
  });

  it('shows the TXT record with which its owner gives it to the workspace', async () => {
    expect(value).toMatch(/^outreach-verification=[\w-]{36}$/);
    expect(await valueOf(await service.client())).not.toBe(value);
    expect(await settings()).toMatchObject({ tracking_domain_txt_name: null, tracking_domain_txt_value: value });
    expect(await put()).toMatchObject({
      tracking_domain_txt_name: `_outreach-challenge.${domain}`,
      tracking_domain_txt_value: value,
    });
  });

  it('is not verified without the TXT record, or with that of another workspace', async () => {
    dns.set(domain, { CNAME: HOST });
    expect(await put()).toMatchObject(unverified());
    publish({ CNAME: HOST }, [await valueOf(await service.client()), `${value}0`, value.toUpperCase()]);
    expect(await put()).toMatchObject(unverified());
  });

  it('may have the TXT record beside its addresses, among others', async () => {
    dns.set(domain, { A: ['192.0.2.1'], TXT: ['v=spf1 -all', ` ${value}`] });
    await expectVerified();
  });

  it('belongs to one workspace, the one that has verified it first, until that gives it up', async () => {
    const other = await service.client();
    publish({ CNAME: HOST }, [value, await valueOf(other)]);
    await expectVerified();
    expect(await put(domain, other)).toMatchObject(unverified());
    await anHourLater();
    expect(await settings(other)).toMatchObject(unverified());
    expect(await settings()).toMatchObject(verified());
    await put(null);
    await eventually(async () => {
      await anHourLater();
      expect(await settings(other)).toMatchObject(verified());
    });
    expect(await put()).toMatchObject(unverified());
  });

  it('is free again when the workspace that had it is deleted', async () => {
    const other = await service.client();
    publish({ CNAME: HOST }, [value, await valueOf(other)]);
    await expectVerified();
    await service.app.get(WorkspaceDeletion, { strict: false }).delete(api.workspaceId);
    await expectVerified(domain, other);
  });

  it('goes to one of the workspaces that are looked up at the same time', async () => {
    const others = await Promise.all([1, 2].map(() => service.client()));
    const all = [api, ...others];
    for (const client of all) await put(domain, client);
    publish({ CNAME: HOST }, await Promise.all(all.map(valueOf)));
    await eventually(async () => {
      await anHourLater();
      const owners = (await Promise.all(all.map(settings))).filter((each) => each.tracking_domain_verified_at !== null);
      expect(owners).toHaveLength(1);
    });
    const results = await Promise.all(all.map((client) => client.put('/settings', { tracking_domain: domain })));
    expect(results.filter(({ data }) => data.tracking_domain_verified_at !== null)).toHaveLength(1);
  });

  it('is normalised, kept by other changes, and cleared by null', async () => {
    publish();
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
    publish({ CNAME: HOST }, [value], 'xn--bcher-kva.sender.example');
    await eventually(async () =>
      expect(await put('bücher.sender.example')).toMatchObject({
        tracking_domain: 'xn--bcher-kva.sender.example',
        tracking_domain_verified_at: expect.any(String),
      }),
    );
  });

  it('is looked up again every hour, and with each change', async () => {
    publish({ A: ['192.0.2.9'] });
    expect(await put()).toMatchObject(unverified());
    dns.set(domain, { CNAME: HOST });
    await service.app.get(DueTrackingDomains).checkDue();
    expect(await settings()).toMatchObject(unverified());
    await expectAnHourLater(verified);
    const since = (await settings()).tracking_domain_verified_at;
    await anHourLater();
    expect((await settings()).tracking_domain_verified_at).toBe(since);
    for (const records of [{ A: ['192.0.2.9'] }, { CNAME: HOST }]) {
      publish(records, []);
      await expectAnHourLater(unverified);
      publish();
      await expectVerified();
    }
  });

  it('remains as it is while its name servers do not respond, also if it is set again', async () => {
    publish();
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
    const domains = clients.map((_, index) => `${index}.${domain}`);
    for (const [index, client] of clients.entries()) {
      await put(domains[index], client);
      publish({ CNAME: HOST }, [await valueOf(client)], domains[index]);
    }
    const ids = clients.map(({ workspaceId }) => workspaceId);
    await eventually(async () => {
      await service.database.query(
        `UPDATE workspaces SET tracking_domain_checked_at = now() - interval '2 hours' WHERE id = ANY($1)`,
        [ids],
      );
      await service.app.get(DueTrackingDomains).checkDue();
      const results = await Promise.all(clients.map((client) => client.get('/settings')));
      expect(results.map(({ data }) => data)).toEqual(
        domains.map((tracking_domain) => expect.objectContaining({ ...verified(), tracking_domain })),
      );
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
      publish();
      await expectVerified();
      const raw = await received();
      expect(hosts(raw)).toEqual([`https://${domain}`]);
      expect(raw).toMatch(new RegExp(`^List-Unsubscribe: <https://${domain}/u/[^>]+>`, 'm'));
      expect(raw).toContain(`https://${domain}/t/o/`);
      expect(raw.match(new RegExp(`https://${domain}/t/c/`, 'g'))).toHaveLength(2);
      expect(raw).not.toContain(HOST);
      const link = /https:\/\/[^/]+(\/t\/c\/[\w-]+)/.exec(raw)?.[1] ?? '';
      const { status, location } = await requestAt(domain, `${service.url}${link}`);
      expect([status, location]).toEqual([302, 'https://target.example/']);
    });

    it('is in none of them if it leads somewhere else', async () => {
      publish({ A: ['192.0.2.9'] });
      await put();
      const raw = await received();
      expect(hosts(raw.replaceAll(`https://${domain}/u/x`, ''))).toEqual([`http://${HOST}:8080`]);
    });
  });

  describe('as the host of a link', () => {
    let other: ApiClient;
    beforeEach(async () => {
      other = await service.client();
      publish({ CNAME: HOST }, [value, await valueOf(other)]);
      await expectVerified();
    });

    /** The statuses of the pixel, a tracked link, and the unsubscribe page of a message of a workspace at a host. */
    const statusesAt = async (host: string, { workspaceId }: ApiClient = api) => {
      const links = service.app.get(MessageLinks);
      const message = { workspace_id: workspaceId, message_id: 1 };
      const urls = [
        links.openUrl(message),
        links.clickUrl({ ...message, link: 1, url: 'https://target.example/' }),
        links.unsubscribeUrl({ ...message, address: 'a@recipient.example' }),
      ];
      const responses = urls.map((url) => requestAt(host, `${service.url}${new URL(url).pathname}`));
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    const WORKS = [200, 302, 200];
    const NOT_FOUND = [404, 404, 404];

    it('serves the links of its owner, and not those of another workspace', async () => {
      for (const host of [domain, `${domain}:8443`, `${domain}.`, domain.toUpperCase()]) {
        expect([host, await statusesAt(host)]).toEqual([host, WORKS]);
        expect([host, await statusesAt(host, other)]).toEqual([host, NOT_FOUND]);
      }
    });

    it('lets recipients of another workspace unsubscribe, and does not show its name', async () => {
      await other.put('/settings', { brand_name: 'Danube', logo_url: 'https://danube.example/logo.png' });
      const contact = await new Given(other, service.database).contact();
      const links = service.app.get(MessageLinks);
      const message = { workspace_id: other.workspaceId, message_id: 1, address: contact.email };
      const { pathname } = new URL(links.unsubscribeUrl(message));
      const status = async () => (await other.get(`/contacts/${contact.id}`)).data.status;
      const pageAt = (host: string, method = 'GET') => requestAt(host, `${service.url}${pathname}`, method);
      const asked = await pageAt(domain);
      expect(asked).toMatchObject({ status: 404, text: expect.stringContaining(`"http://${HOST}:8080${pathname}"`) });
      expect([asked.text.includes('<form'), await status()]).toEqual([false, 'active']);
      const confirmed = await pageAt(domain, 'POST');
      expect([confirmed.status, await status()]).toEqual([200, 'unsubscribed']);
      for (const { text } of [asked, confirmed]) expect(text).not.toMatch(/danube/i);
      expect((await pageAt(HOST)).text).toContain('Danube');
    });

    it('leaves the links of all workspaces at the hosts of the service, at addresses and at names that are not public', async () => {
      for (const host of [
        HOST,
        `${HOST}:8080`,
        FORMER_HOST,
        '127.0.0.1',
        '192.0.2.1:80',
        '[::1]',
        'localhost',
        'api',
        'outreach.internal',
      ]) {
        expect([host, await statusesAt(host)]).toEqual([host, WORKS]);
        expect([host, await statusesAt(host, other)]).toEqual([host, WORKS]);
      }
    });

    it('serves the links of its owner only, also if its name is not public', async () => {
      domain = `links${numbered}.sender.internal`;
      publish();
      await expectVerified();
      expect([await statusesAt(domain), await statusesAt(domain, other)]).toEqual([WORKS, NOT_FOUND]);
    });

    it('serves the links of all workspaces to a client that names no host', async () => {
      const links = service.app.get(MessageLinks);
      const { pathname } = new URL(links.openUrl({ workspace_id: api.workspaceId, message_id: 1 }));
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${pathname} HTTP/1.0\r\n\r\n`);
      expect((await buffer(socket)).toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
    });

    it('serves nothing at a host without an owner', async () => {
      for (const host of [`other.${domain}`, 'sender.example', `a_b.${domain}`, `${HOST}.evil.example`]) {
        expect([host, await statusesAt(host)]).toEqual([host, NOT_FOUND]);
      }
    });

    it('serves the links of earlier messages after another domain was set, until another workspace verifies it', async () => {
      await put(null);
      expect(await statusesAt(domain)).toEqual(WORKS);
      expect(await statusesAt(domain, other)).toEqual(NOT_FOUND);
      await expectVerified(domain, other);
      expect(await statusesAt(domain)).toEqual(NOT_FOUND);
      expect(await statusesAt(domain, other)).toEqual(WORKS);
    });

    it('leads to the targets of links while the database does not respond', async () => {
      expect(await statusesAt(domain)).toEqual(WORKS);
      const hosts = service.app.get(LinkHosts);
      await service.database.query('ALTER TABLE tracking_domains RENAME TO moved');
      try {
        expect(await hosts.findOwner(domain)).toBe(api.workspaceId);
        await expect(hosts.findOwner(`other.${domain}`)).rejects.toThrow();
      } finally {
        await service.database.query('ALTER TABLE moved RENAME TO tracking_domains');
      }
    });

    it('is allowed to a proxy that asks whether it may get a certificate', async () => {
      const allowed = async (query: string) => {
        const response = await fetch(`${service.url}/tracking-domains/allowed${query}`);
        return { status: response.status, body: (await response.json()) as { data?: object; errors?: object } };
      };
      for (const name of [domain, domain.toUpperCase(), `${domain}.`]) {
        expect(await allowed(`?domain=${name}`)).toEqual({ status: 200, body: { data: { domain } } });
      }
      for (const name of [`other.${domain}`, HOST, '127.0.0.1', 'a%20b', `${'x.'.repeat(120)}example`]) {
        expect((await allowed(`?domain=${name}`)).status).toBe(404);
      }
      for (const query of ['', '?domain=', '?domain=%00', `?domain=${'x'.repeat(300)}`, '?domain=a&domain=b']) {
        const { status, body } = await allowed(query);
        expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['domain']]);
      }
      await put(null);
      expect((await allowed(`?domain=${domain}`)).status).toBe(200);
    });
  });

  it('is named for the preflight only while it is not verified', async () => {
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    expect(await settingFacts(scope)).toMatchObject({ has_unverified_domain: false });
    publish({ A: ['192.0.2.9'] });
    await put();
    expect(await settingFacts(scope)).toMatchObject({ has_unverified_domain: true });
    publish();
    await expectVerified();
    expect(await settingFacts(scope)).toMatchObject({ has_unverified_domain: false });
  });
});

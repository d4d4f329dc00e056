import { findUnauthenticated } from '../../src/email-accounts/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { dkimPair } from '../support/dkim.js';
import { DnsServer, type Misbehaviour } from '../support/dns-server.js';
import { eventually } from '../support/eventually.js';
import { TIMESTAMP } from '../support/expected.js';
import { startService, type TestService } from '../support/service.js';

const KEY = dkimPair(2_048);
const OTHER_KEY = dkimPair();
const SHORT_KEY = dkimPair(1_024);
const HOUR_MINUTES = 60;
/** The statuses of MX, SPF, DKIM and DMARC. */
const ALL_PASS = ['pass', 'pass', 'pass', 'pass'];

describe('GET /email-accounts/{id}/domain', () => {
  let dns: DnsServer;
  let service: TestService;
  let api: ApiClient;
  let numbered = 0;
  let domain: string;

  beforeAll(async () => {
    dns = await DnsServer.start();
    service = await startService({ DNS_SERVERS: dns.address });
  });
  afterAll(async () => {
    await service.stop();
    await dns.stop();
  });
  beforeEach(async () => {
    api = await service.client();
    numbered += 1;
    domain = `sender${numbered}.example`;
  });

  const account = async (fields: object = {}): Promise<number> => {
    const smtp = { type: 'smtp', smtp_host: '127.0.0.1', smtp_port: 2525, smtp_username: 'u', smtp_password: 'secret' };
    const { data } = await api.post('/email-accounts', {
      ...{ name: 'M', from_name: 'M', from_email: `sales@${domain}` },
      ...smtp,
      ...fields,
    });
    return data.id;
  };
  const sendgrid = { type: 'sendgrid', sendgrid_api_key: 'SG.key' };
  const checked = async (id: number, query = '') => (await api.get(`/email-accounts/${id}/domain${query}`)).data;
  const statuses = async (id: number, query = '?refresh=1') => {
    const { mx, spf, dkim, dmarc } = await checked(id, query);
    return [mx, spf, dkim, dmarc].map(({ status }) => status);
  };
  // The service gives up on a name server that a slow machine delays, so these check again until they see what is expected.
  const expectChecks = (id: number, expected: object) =>
    eventually(async () => expect(await checked(id, '?refresh=1')).toMatchObject(expected));
  const expectStatuses = (id: number, expected: readonly string[]) =>
    eventually(async () => expect(await statuses(id)).toEqual(expected));
  /** Expects results that are not older than this, by the clock of the workspace. */
  const expectStatusesAfter = (minutes: number, id: number, expected: readonly string[]) =>
    eventually(async () => {
      service.clocks.advance(api.workspaceId, { minutes });
      expect(await statuses(id, '')).toEqual(expected);
    });
  const good = () => {
    dns.setAll({
      [domain]: { MX: [[10, `mx.${domain}`]], TXT: ['v=spf1 include:sendgrid.net -all', 'other=1'] },
      'sendgrid.net': { TXT: ['v=spf1 ip4:192.0.2.0/24 ~all'] },
      [`s1._domainkey.${domain}`]: { CNAME: `s1.of.${domain}` },
      [`s1.of.${domain}`]: { TXT: [KEY.record] },
      [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
    });
  };

  it('returns the four checks with their records', async () => {
    good();
    const id = await account(sendgrid);
    await expectStatuses(id, ALL_PASS);
    const { status, body } = await api.get(`/email-accounts/${id}/domain`);
    expect([status, body]).toEqual([
      200,
      {
        data: {
          domain,
          mx: { status: 'pass', record: `10 mx.${domain}`, message: expect.any(String) },
          spf: {
            status: 'pass',
            record: 'v=spf1 include:sendgrid.net -all',
            message: expect.stringContaining('1 of 10'),
          },
          dkim: { status: 'pass', record: KEY.record, message: expect.stringContaining('RSA, 2,048 bits') },
          dmarc: { status: 'pass', record: 'v=DMARC1; p=reject', message: expect.any(String) },
          checked_at: expect.stringMatching(TIMESTAMP),
        },
      },
    ]);
  });

  it('fails for a domain without records, and knows no DKIM key of a server that is not known', async () => {
    await expectStatuses(await account(), ['fail', 'fail', 'unknown', 'fail']);
    await expectStatuses(await account(sendgrid), ['fail', 'fail', 'fail', 'fail']);
  });

  it('warns about records that could be better', async () => {
    good();
    dns.set(domain, { A: ['192.0.2.1'], TXT: ['v=spf1 a -all'] });
    dns.set(`s1._domainkey.${domain}`, { TXT: [SHORT_KEY.record] });
    dns.set(`_dmarc.${domain}`, { TXT: ['v=DMARC1; p=none'] });
    await expectStatuses(await account(sendgrid), ['warn', 'warn', 'warn', 'warn']);
  });

  it('looks for the key of the account at its selector, and for DMARC at the domain that is registered', async () => {
    const from_email = `sales@mail.${domain}`;
    const dkim = { dkim_domain: domain, dkim_selector: 'k1', dkim_private_key: KEY.pem };
    const id = await account({ from_email, ...dkim });
    expect((await checked(id)).domain).toBe(`mail.${domain}`);
    await expectStatuses(id, ['fail', 'fail', 'fail', 'fail']);
    dns.set(`k1._domainkey.${domain}`, { TXT: [KEY.record] });
    dns.set(`_dmarc.${domain}`, { TXT: ['v=DMARC1; p=quarantine'] });
    await expectStatuses(id, ['fail', 'fail', 'pass', 'pass']);
    dns.set(`k1._domainkey.${domain}`, { TXT: [SHORT_KEY.record] });
    await expectChecks(id, {
      dkim: { status: 'fail', message: expect.stringContaining('does not belong to dkim_private_key') },
    });
  });

  it('counts the lookups of included records, and finds loops', async () => {
    const includes = Array.from({ length: 6 }, (_, index) => `i${index}.${domain}`);
    const terms = includes.map((name) => `include:${name}`).join(' ');
    dns.set(domain, { TXT: [`v=spf1 ${terms} -all`] });
    for (const name of includes) dns.set(name, { TXT: ['v=spf1 ip4:192.0.2.1 -all'] });
    const id = await account();
    await expectChecks(id, { spf: { status: 'pass', message: expect.stringContaining('6 of 10') } });
    dns.set(includes[0] ?? '', { TXT: ['v=spf1 a mx exists:a.example ptr ptr -all'] });
    await expectChecks(id, { spf: { status: 'fail', message: expect.stringContaining('more than 10 DNS lookups') } });
    dns.set(includes[0] ?? '', { TXT: [`v=spf1 include:${domain} -all`] });
    await expectChecks(id, { spf: { status: 'fail', message: expect.stringContaining('includes itself') } });
    dns.set(domain, { TXT: ['v=spf1 -all', 'v=spf1 ~all'] });
    await expectChecks(id, { spf: { status: 'fail', record: 'v=spf1 -all\nv=spf1 ~all' } });
  });

  it('asks once in an hour, again with refresh=1, and after the account has changed', async () => {
    good();
    const id = await account(sendgrid);
    await expectStatuses(id, ALL_PASS);
    const first = await checked(id);
    dns.set(`_dmarc.${domain}`, { TXT: ['v=DMARC1; p=none'] });
    const asked = dns.questions.length;
    expect(await checked(id)).toEqual(first);
    expect(await checked(id, '?refresh=0')).toEqual(first);
    expect(dns.questions).toHaveLength(asked);
    await expectChecks(id, { dmarc: { status: 'warn' } });
    expect((await checked(id)).dmarc.status).toBe('warn');
    dns.set(`_dmarc.${domain}`, { TXT: ['v=DMARC1; p=reject'] });
    expect((await checked(id)).dmarc.status).toBe('warn');
    await expectStatusesAfter(HOUR_MINUTES + 1, id, ALL_PASS);
    await api.put(`/email-accounts/${id}`, { from_email: `sales@other.${domain}` });
    expect((await checked(id)).domain).toBe(`other.${domain}`);
    await expectChecks(id, { spf: { status: 'fail' } });
  });

  it('asks again after the DKIM key has changed', async () => {
    const key = (pair: typeof KEY) => ({ dkim_domain: domain, dkim_selector: 'k', dkim_private_key: pair.pem });
    dns.setAll({ [`k._domainkey.${domain}`]: { TXT: [KEY.record] } });
    const id = await account(key(KEY));
    await expectChecks(id, { dkim: { status: 'pass' } });
    await api.put(`/email-accounts/${id}`, key(OTHER_KEY));
    expect((await checked(id)).dkim.status).not.toBe('pass');
  });

  it('asks once for several requests at the same time', async () => {
    good();
    const id = await account(sendgrid);
    await Promise.all(Array.from({ length: 20 }, () => checked(id)));
    const asked = dns.questions.filter((question) => question === `TXT _dmarc.${domain}`);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it.each<Misbehaviour>(['silent', 'servfail', 'refused', 'garbage', 'other question', 'other id'])(
    'is unknown if the name server is faulty (%s), and asks again after a minute',
    async (misbehaviour) => {
      good();
      const id = await account(sendgrid);
      dns.misbehave(domain, misbehaviour);
      await expectStatuses(id, ['unknown', 'unknown', 'unknown', 'unknown']);
      dns.misbehave(domain);
      expect(await statuses(id, '')).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
      await expectStatusesAfter(2, id, ALL_PASS);
    },
  );

  it('is not delayed by the checks of other workspaces whose name servers are silent', async () => {
    good();
    const id = await account(sendgrid);
    let isDone = false;
    const pending = new Set<Promise<unknown>>();
    const repeat = async (request: () => Promise<{ status: number }>): Promise<void> => {
      while (!isDone) {
        const response = request();
        pending.add(response);
        expect((await response).status).toBe(200);
        pending.delete(response);
      }
    };
    const repeated: Promise<void>[] = [];
    for (let n = 0; n < 6; n++) {
      const slow = await service.client();
      const silent = `silent${n}.${domain}`;
      dns.misbehave(silent, 'silent');
      const mailbox = { name: 'M', from_name: 'M', from_email: `a@${silent}`, ...sendgrid };
      const { data } = await slow.post('/email-accounts', mailbox);
      for (let request = 0; request < 5; request++) {
        repeated.push(repeat(() => slow.get(`/email-accounts/${data.id}/domain?refresh=1`)));
      }
      await eventually(() => expect(dns.questions).toContain(`MX ${silent}`));
    }
    try {
      await eventually(async () => {
        const before = [...pending];
        expect(await statuses(id)).toEqual(ALL_PASS);
        expect(before.some((request) => pending.has(request))).toBe(true);
      });
    } finally {
      isDone = true;
    }
    await Promise.all(repeated);
  });

  it('is unknown for one check alone if only its records are not answered for', async () => {
    good();
    dns.misbehave(`_dmarc.${domain}`, 'silent');
    await expectStatuses(await account(sendgrid), ['pass', 'pass', 'pass', 'unknown']);
  });

  it('reads long records over TCP', async () => {
    good();
    dns.misbehave(domain, 'truncated');
    const networks = Array.from({ length: 200 }, (_, index) => `ip4:192.0.2.${index}`).join(' ');
    dns.set(domain, { MX: [[10, `mx.${domain}`]], TXT: [`v=spf1 ${networks} include:sendgrid.net -all`] });
    await expectStatuses(await account(sendgrid), ALL_PASS);
  });

  it('shows records with strange characters and of any length', async () => {
    const id = await account();
    dns.set(domain, { TXT: [`v=spf1 \u0000\u0007${'x'.repeat(20_000)} -all`] });
    await expectChecks(id, { spf: { status: 'fail', record: expect.stringMatching(/^v=spf1 \?\?x+$/) } });
    const { spf } = await checked(id);
    expect(spf.record).toHaveLength(4_096);
  });

  it('returns 404 for accounts of others, 403 without the permission and 422 for another refresh', async () => {
    const id = await account();
    expect((await (await service.client()).get(`/email-accounts/${id}/domain`)).status).toBe(404);
    expect((await api.get('/email-accounts/999999/domain?refresh=1')).status).toBe(404);
    const { status, body } = await api.get(`/email-accounts/${id}/domain?refresh=yes`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['refresh']]);
  });

  it('says which accounts have failed, without asking a name server', async () => {
    good();
    const scope = await service.app.get(Workspaces).scope(api.workspaceId);
    const [passing, failing, unchecked] = [
      await account(sendgrid),
      await account({ from_email: 'a@nothing.example' }),
      await account(),
    ];
    await expectStatuses(passing, ALL_PASS);
    await expectStatuses(failing, ['fail', 'fail', 'unknown', 'fail']);
    const asked = dns.questions.length;
    expect(await findUnauthenticated(scope, [passing, failing, unchecked])).toEqual([failing]);
    await api.put(`/email-accounts/${failing}`, { from_email: `a@${domain}` });
    expect(await findUnauthenticated(scope, [passing, failing, unchecked])).toEqual([]);
    expect(dns.questions).toHaveLength(asked);
  });

  it('is asked for by the preflight of a campaign, if the domain was not checked before', async () => {
    good();
    dns.set(`_dmarc.${domain}`, { TXT: [] });
    const id = await account();
    const { data: campaign } = await api.post('/campaigns', {
      name: 'C',
      email_account_ids: [id],
      track_opens: false,
      steps: [{ subject: 'Hello', body: '<p>Hello</p>' }],
    });
    // It waits for the name servers for some seconds only: a later one shows what they have said.
    await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/preflight`);
      expect(data.warnings.map(({ code }: { code: string }) => code)).toContain('domain_not_authenticated');
    });
  });
});

import fc from 'fast-check';
import { zone } from '../../../test/support/dns-zone.js';
import { checkSpf } from './check-spf.js';
import { parseSpf } from './spf-record.js';

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;
const zoneOf = (texts: Texts) =>
  zone(
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        text === undefined ? undefined : { TXT: [text].flat(), A: ['192.0.2.1'] },
      ]),
    ),
  );
const statusOf = async (texts: Texts, includes: readonly string[] = []) =>
  (await checkSpf(zoneOf(texts), 'a.example', includes)).status;
const many = (count: number, prefix = 'i') => Array.from({ length: count }, (_, index) => `${prefix}${index}.example`);
const includeAll = (names: readonly string[]) => `v=spf1 ${names.map((name) => `include:${name}`).join(' ')} -all`;
const leaves = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'v=spf1 ip4:192.0.2.1 -all']));

describe('checkSpf', () => {
  it.each([
    ['v=spf1 ip4:192.0.2.0/24 -all', 'pass'],
    ['v=spf1 a mx:a.example ip6:2001:db8::/32 ~all', 'pass'],
    ['V=SPF1 A:a.example/24//64 ?ALL', 'pass'],
    ['v=spf1', 'pass'],
    ['v=spf1 -all +all', 'pass'],
    ['v=spf1 exists:%{ir}.%{l1r-}.spf.a.example -all exp=why.%{d}', 'pass'],
    ['v=spf1 unknown=value%{d} -all', 'pass'],
    ['v=spf1 +all', 'fail'],
    ['v=spf1 all', 'fail'],
    ['v=spf1 ip4:0.0.0.0/0 -all', 'fail'],
    ['v=spf1 ip4:192.0.2.300 -all', 'fail'],
    ['v=spf1 ip4:192.0.2.1/33 -all', 'fail'],
    ['v=spf1 ip6:192.0.2.1 -all', 'fail'],
    ['v=spf1 include -all', 'fail'],
    ['v=spf1 include: -all', 'fail'],
    ['v=spf1 includes:b.example -all', 'fail'],
    ['v=spf1 a:b.example/33 -all', 'fail'],
    ['v=spf1 a:%{z}.example -all', 'fail'],
    ['v=spf1 redirect=b.example redirect=b.example', 'fail'],
    ['v=spf1 -all:x', 'fail'],
    ['v=spf10 -all', 'fail'],
    ['v=spf1 include:a.example -all', 'fail'],
    ['v=spf1 redirect=a.example', 'fail'],
  ])('of “%s” is %s', async (text, status) => {
    expect(await statusOf({ 'a.example': text, 'b.example': 'v=spf1 -all' })).toBe(status);
  });

  it('fails without a record, with several, and is unknown without a response', async () => {
    expect(await statusOf({})).toBe('fail');
    expect(await statusOf({ 'a.example': ['other=1', 'google-site-verification=x'] })).toBe('fail');
    expect(await statusOf({ 'a.example': ['v=spf1 -all', 'V=spf1 ~all'] })).toBe('fail');
    expect(await statusOf({ 'a.example': ['v=spf1 -all', 'other'] })).toBe('pass');
    expect(await statusOf({ 'a.example': undefined })).toBe('unknown');
  });

  it('counts ten lookups at most, in all included records', async () => {
    const [ten, eleven] = [many(10), many(11)];
    expect(await statusOf({ 'a.example': includeAll(ten), ...leaves(ten) })).toBe('pass');
    expect(await statusOf({ 'a.example': includeAll(eleven), ...leaves(eleven) })).toBe('fail');
    const nested = {
      'a.example': includeAll(many(2)),
      'i0.example': includeAll(many(4, 'j')),
      ...leaves(many(4, 'j')),
    };
    expect(await statusOf({ ...nested, 'i1.example': 'v=spf1 a mx ptr exists:a.example -all' })).toBe('pass');
    expect(
      await statusOf({
        ...nested,
        'i1.example': 'v=spf1 a mx ptr exists:a.example redirect=i2.example',
        'i2.example': 'v=spf1 -all',
      }),
    ).toBe('fail');
    expect(
      await statusOf({ ...nested, 'i1.example': 'v=spf1 a mx ptr exists:a.example -all redirect=i2.example' }),
    ).toBe('pass');
  });

  it('asks for few names, however many a record has', async () => {
    const dns = zoneOf({ 'a.example': includeAll(many(500)), ...leaves(many(500)) });
    expect((await checkSpf(dns, 'a.example', [])).status).toBe('fail');
    expect(dns.asked).toEqual(['a.example']);
  });

  it('finds loops, and names without a record', async () => {
    const loop = { 'a.example': includeAll(['b.example']), 'b.example': includeAll(['c.example']) };
    expect(await checkSpf(zoneOf({ ...loop, 'c.example': includeAll(['b.example']) }), 'a.example', [])).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('includes itself'),
    });
    expect(await statusOf({ ...loop })).toBe('fail');
    expect(await statusOf({ ...loop, 'c.example': ['v=spf1 -all', 'v=spf1 ~all'] })).toBe('fail');
    expect(await statusOf({ ...loop, 'c.example': 'v=spf1 a:' })).toBe('fail');
    expect(await statusOf({ ...loop, 'c.example': undefined })).toBe('unknown');
    const missing = 'v=spf1 a:x.example a:y.example -all';
    expect(await statusOf({ 'a.example': missing })).toBe('pass');
    expect(await statusOf({ 'a.example': missing.replace('-all', 'mx:z.example -all') })).toBe('fail');
  });

  it('fails if an included record lets every server pass', async () => {
    const open = { 'b.example': 'v=spf1 include:c.example -all', 'c.example': 'v=spf1 +all' };
    expect(await statusOf({ 'a.example': 'v=spf1 include:b.example -all', ...open })).toBe('fail');
    expect(await statusOf({ 'a.example': 'v=spf1 redirect=b.example', ...open })).toBe('fail');
    expect(await statusOf({ 'a.example': 'v=spf1 ?include:b.example -all', ...open })).toBe('pass');
  });

  it('warns without the include of the provider, however deep it may be', async () => {
    const provider = ['_spf.google.com'];
    const google = { '_spf.google.com': 'v=spf1 ip4:192.0.2.1 ~all' };
    const status = (texts: Texts) => statusOf({ ...google, ...texts }, provider);
    expect(await status({ 'a.example': 'v=spf1 -all' })).toBe('warn');
    expect(await status({ 'a.example': 'v=spf1 include:_spf.Google.com. ~all' })).toBe('pass');
    expect(await status({ 'a.example': 'v=spf1 redirect=_spf.google.com' })).toBe('pass');
    expect(
      await status({ 'a.example': 'v=spf1 include:b.example', 'b.example': 'v=spf1 redirect=_spf.google.com' }),
    ).toBe('pass');
    expect(await status({ 'a.example': 'v=spf1 -include:_spf.google.com ~all' })).toBe('warn');
    expect(await status({ 'a.example': 'v=spf1 ~all include:_spf.google.com' })).toBe('warn');
    expect(await statusOf({ 'a.example': 'v=spf1 include:_spf.google.com ~all' }, provider)).toBe('pass');
  });

  it('expands the macros that are the same for every message', async () => {
    const texts = { 'a.example': 'v=spf1 include:_spf.%{d} include:%{o}.b.example include:%{i}.c.example -all' };
    const dns = zoneOf({ ...texts, '_spf.a.example': 'v=spf1 -all', 'a.example.b.example': 'v=spf1 -all' });
    expect((await checkSpf(dns, 'a.example', [])).status).toBe('pass');
    expect(dns.asked).toEqual(['a.example', '_spf.a.example', 'a.example.b.example']);
  });
});

describe('parseSpf', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
  const domain = fc.tuple(label, label).map((labels) => labels.join('.'));
  const sign = fc.constantFrom('', '+', '-', '~', '?');
  const term = fc.oneof(
    fc.tuple(sign, fc.constantFrom('a', 'mx', 'ptr', 'all')).map((parts) => parts.join('')),
    fc
      .tuple(sign, fc.constantFrom('include', 'exists', 'a', 'mx', 'ptr'), domain)
      .map(([q, kind, name]) => `${q}${kind}:${name}`),
    fc.ipV4().map((address) => `ip4:${address}`),
    fc.ipV6().map((address) => `ip6:${address}`),
  );

  it('takes every valid record, and names the term that is not valid', () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 20 }), fc.stringMatching(/^[a-z]{3,8}!$/), (terms, wrong) => {
        expect(parseSpf(['v=spf1', ...terms].join(' '))).not.toHaveProperty('invalid');
        expect(parseSpf(['v=spf1', ...terms, wrong].join(' '))).toEqual({ invalid: wrong });
      }),
    );
  });

  it('takes any text in time that grows with its length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 300 }),
        fc.constantFrom('', '%{', 'a:', '/', '.', '-'),
        async (text, repeated) => {
          const record = `v=spf1 ${text} ${repeated.repeat(20_000)}`;
          expect(['pass', 'fail']).toContain(await statusOf({ 'a.example': record }));
        },
      ),
      { numRuns: 40 },
    );
  });
});

import fc from 'fast-check';
import { EgressPolicy, isCidr } from './index.js';

const publicOnly = new EgressPolicy([]);

describe('EgressPolicy without allowed ranges', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4007:80c::2004',
    '2001:200::1',
  ])('allows %s', (address) => {
    expect(publicOnly.allows(address)).toBe(true);
  });

  it.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private', '10.0.0.0', '10.255.255.255'],
    ['private', '172.16.0.0', '172.31.255.255'],
    ['private', '192.168.0.0', '192.168.255.255'],
    ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.1', '127.255.255.255'],
    ['link-local and cloud metadata', '169.254.0.0', '169.254.169.254'],
    ['protocol assignments', '192.0.0.0', '192.0.0.192'],
    ['documentation', '192.0.2.1', '198.51.100.1'],
    ['documentation', '203.0.113.0', '203.0.113.255'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['AS112 and AMT', '192.31.196.1', '192.52.193.1'],
    ['AS112', '192.175.48.1', '192.175.48.6'],
    ['benchmarking', '198.18.0.0', '198.19.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255'],
    ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
    ["Azure's platform", '168.63.129.16', '::ffff:168.63.129.16'],
    ['unspecified and loopback', '::', '::1'],
    ['link-local', 'fe80::1', 'febf::1'],
    ['site-local', 'fec0::1', 'feff::1'],
    ['unique local', 'fc00::1', 'fd00:ec2::254'],
    ['multicast', 'ff02::1', 'ff0e::1'],
    ['discard-only and dummy', '100::1', '100:0:0:1::1'],
    ['local NAT64', '64:ff9b:1::1', '64:ff9b:1:fffe::808:808'],
    ['protocol assignments', '2001:1::1', '2001:1ff::1'],
    ['benchmarking and ORCHID', '2001:2::1', '2001:20::1'],
    ['documentation', '2001:db8::1', '3fff::1'],
    ['segment routing', '5f00::1', '5f00:ffff::1'],
    ['unassigned', '1::1', '4000::1'],
    ['unassigned', 'e000::1', 'fbff::1'],
  ])('refuses %s addresses: %s, %s', (_range, ...addresses) => {
    expect(addresses.filter((address) => publicOnly.allows(address))).toEqual([]);
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '8.8.8.8 ',
    '[2606:4700::1111]',
    '2606:4700::1111%eth0',
  ])('refuses %j, which is not an address', (text) => {
    expect(publicOnly.allows(text)).toBe(false);
  });
});

const hex = (octets: number[]) => octets.map((octet) => octet.toString(16).padStart(2, '0')).join('');
const pairs = (octets: number[]) => `${hex(octets.slice(0, 2))}:${hex(octets.slice(2))}`;
const forms: Record<string, (octets: number[]) => string> = {
  mapped: (octets) => `::ffff:${octets.join('.')}`,
  'mapped, in hexadecimal': (octets) => `0:0:0:0:0:FFFF:${pairs(octets)}`,
  compatible: (octets) => `::${pairs(octets)}`,
  translated: (octets) => `::ffff:0:${pairs(octets)}`,
  NAT64: (octets) => `64:ff9b::${octets.join('.')}`,
  '6to4': (octets) => `2002:${pairs(octets)}::1`,
  'Teredo client': (octets) => `2001:0:808:808::${pairs(octets.map((octet) => octet ^ 0xff))}`,
  'Teredo server': (octets) => `2001:0:${pairs(octets)}:0:0:f7f7:f7f7`,
  ISATAP: (octets) => `2606:4700::5efe:${pairs(octets)}`,
  'ISATAP, global': (octets) => `2606:4700::200:5efe:${pairs(octets)}`,
};

describe.each(Object.entries(forms))('an IPv6 address that embeds an IPv4 address (%s)', (_name, form) => {
  const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 });

  it('is allowed without ranges if the IPv4 address is', () => {
    const wellKnown = fc.constantFrom<number[]>([10, 0, 0, 1], [127, 0, 0, 1], [169, 254, 169, 254], [8, 8, 8, 8]);
    fc.assert(
      fc.property(fc.oneof(octets, wellKnown), (ipv4) => {
        expect(publicOnly.allows(form(ipv4))).toBe(publicOnly.allows(ipv4.join('.')));
      }),
    );
  });

  it('is allowed by an IPv4 range', () => {
    const policy = new EgressPolicy(['10.0.0.0/8']);
    expect(policy.allows(form([10, 1, 2, 3]))).toBe(true);
    expect(policy.allows(form([172, 16, 0, 1]))).toBe(false);
  });
});

it('refuses a link-local address with a public ISATAP identifier', () => {
  expect(publicOnly.allows('fe80::5efe:808:808')).toBe(false);
});

describe('EgressPolicy with allowed ranges', () => {
  it('allows the addresses in the ranges and no others', () => {
    const policy = new EgressPolicy(['127.0.0.0/8', '192.168.7.9/32', 'fd12:3456::/32', '::1/128']);
    const inside = ['127.0.0.1', '127.255.0.1', '192.168.7.9', 'fd12:3456:1::1', '::1', '8.8.8.8'];
    expect(inside.filter((address) => !policy.allows(address))).toEqual([]);
    const outside = ['10.0.0.1', '192.168.7.8', 'fd12:3457::1', '::', '0.0.0.1'];
    expect(outside.filter((address) => policy.allows(address))).toEqual([]);
  });

  it('tells configured addresses from public ones', () => {
    const policy = new EgressPolicy(['127.0.0.0/8', 'fd12:3456::/32']);
    const configured = ['127.0.0.1', '::ffff:127.0.0.1', 'fd12:3456::1'];
    expect(configured.filter((address) => !policy.isInConfiguredRange(address))).toEqual([]);
    const others = [
      '8.8.8.8',
      '2606:4700:4700::1111',
      '10.0.0.1',
      'fd12:3457::1',
      'fd12:3456::1%eth0',
      'localhost',
      '',
    ];
    expect(others.filter((address) => policy.isInConfiguredRange(address))).toEqual([]);
  });

  it('accepts a range in IPv4-mapped notation', () => {
    const policy = new EgressPolicy(['::ffff:10.0.0.0/104']);
    expect(policy.allows('10.200.0.1')).toBe(true);
    expect(policy.allows('::ffff:10.200.0.1')).toBe(true);
    expect(policy.allows('11.0.0.1') && policy.allows('127.0.0.1')).toBe(false);
  });

  it('does not apply an IPv6 range to mapped IPv4 addresses', () => {
    expect(new EgressPolicy(['::/0']).allows('::ffff:10.0.0.1')).toBe(false);
  });

  it('throws a RangeError if a range is invalid', () => {
    expect(() => new EgressPolicy(['127.0.0.0/8', 'home'])).toThrow(RangeError);
  });
});

describe('isCidr', () => {
  it.each(['10.0.0.0/8', '0.0.0.0/0', '10.1.2.3/32', 'fd00::/8', '::/0', '::1/128', 'FD00::/8', '::ffff:10.0.0.0/104'])(
    'returns true for %s',
    (text) => {
      expect(isCidr(text)).toBe(true);
    },
  );

  it.each([
    '',
    '/',
    '/8',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
    '10.0.0.0/0x8',
    '10.0.0.0/255.0.0.0',
    '10/8',
    '0177.0.0.1/8',
    '2130706433/8',
    'fd00::/129',
    'fe80::%eth0/64',
    '[fd00::]/8',
    'localhost/8',
  ])('returns false for %j', (text) => {
    expect(isCidr(text)).toBe(false);
  });
});

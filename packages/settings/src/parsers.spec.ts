import { InvalidSetting, parseCidrs, parseDatabaseUrl, parseNameServers, parsePublicUrl } from './parsers.js';

describe('parseNameServers', () => {
  it('takes addresses of both families, with and without a port', () => {
    const servers = ['192.0.2.53', '192.0.2.53:5353', '[2001:db8::53]', '[2001:db8::53]:53', '2001:db8::53'];
    expect(parseNameServers(` ${servers.join(' , ')},`)).toEqual(servers);
    expect(parseNameServers('')).toEqual([]);
  });

  it.each([
    'dns.example',
    '192.0.2',
    '192.0.2.53:0',
    '192.0.2.53:65536',
    '192.0.2.53:x',
    '[192.0.2.53]:53',
    '[::1',
    'fe80::1%eth0',
    '[fe80::1%eth0]:53',
  ])('refuses %s', (text) => {
    expect(() => parseNameServers(text)).toThrow(InvalidSetting);
  });
});

describe('parseCidrs', () => {
  it('takes networks and addresses of both families', () => {
    expect(parseCidrs('10.0.0.0/8, 192.0.2.1, fd00::/8,::1')).toEqual([
      '10.0.0.0/8',
      '192.0.2.1/32',
      'fd00::/8',
      '::1/128',
    ]);
  });

  it.each(['10', '1', '10/8', '10.1/16', '0x7f.0.0.1', '2130706433', '10.0.0.0/33', 'x'])('refuses %s', (text) => {
    expect(() => parseCidrs(text)).toThrow(InvalidSetting);
  });
});

describe('parsePublicUrl', () => {
  it.each([
    ['https://mail.example/', 'https://mail.example'],
    ['http://localhost:3000/outreach//', 'http://localhost:3000/outreach'],
  ])('takes %s', (text, url) => {
    expect(parsePublicUrl(text)).toBe(url);
  });

  it.each([
    'https://mail.example?',
    'https://mail.example/#',
    'https://a:b@mail.example',
    'https://a@mail.example',
    'https://@mail.example',
    'https:mail.example',
    'https:/mail.example',
    'x',
  ])('refuses %s, with which no link can start', (text) => {
    expect(() => parsePublicUrl(text)).toThrow(InvalidSetting);
  });
});

describe('parseDatabaseUrl', () => {
  it('takes a URL as it is, without slashes at its end', () => {
    expect(parseDatabaseUrl('postgres://u:p@one,two/d//')).toBe('postgres://u:p@one,two/d');
  });

  it.each([
    ['x', /must be a URL like postgres:/],
    ['mysql://one/d', /must be a URL like postgres:/],
    ['postgres:one/d', /must be a URL like postgres:/],
    ['postgres:///d', /must be a URL like postgres:/],
    ['postgres://one,/d', /must be a URL like postgres:/],
    ['postgres://one:x/d', /must be a URL like postgres:/],
    ['postgres://one:1,two:65536/d', /must be a URL like postgres:/],
    ['postgres:///d?host=one&port=1.5', /must be a URL like postgres:/],
    ['postgres://u:p/w@one/d', /must be a URL like postgres:.* percent-encoded/],
    ['postgres://one two/d', /must be a URL like postgres:/],
    ['postgres://2001:db8::1/d', /must be a URL like postgres:/],
    ['postgres://one,two/d?port=1,2,3', /one port, or one for each of its 2 hosts/],
    ['postgres://one,two/d?target_session_attrs=standby', /target_session_attrs=read-write.*"standby"/],
  ])('refuses %s', (url, message) => {
    expect(() => parseDatabaseUrl(url)).toThrow(InvalidSetting);
    expect(() => parseDatabaseUrl(url)).toThrow(message);
  });
});

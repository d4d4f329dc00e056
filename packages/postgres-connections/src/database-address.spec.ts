import { describeDatabase, parseDatabaseAddress, WrongDatabaseAddress } from './database-address.js';

describe('parseDatabaseAddress', () => {
  it.each([
    ['postgres://u:p@one/d', ['one:5432']],
    ['postgresql://one:6432', ['one:6432']],
    ['postgres://u:p@one,two/d', ['one:5432', 'two:5432']],
    ['postgres://u:p@one:1,two:2/d', ['one:1', 'two:2']],
    ['postgres://u:p@one:,two:6432/d', ['one:5432', 'two:6432']],
    ['postgres://u:p@/d?host=one,two&port=,6432', ['one:5432', 'two:6432']],
    ['postgres://u:p@one,[2001:db8::1]:2,192.0.2.1/d', ['one:5432', '[2001:db8::1]:2', '192.0.2.1:5432']],
    ['postgres://u:a,b%2Fc@d@one:1/d', ['one:1']],
    ['postgres://u:p@%2Fvar%2Frun,two/d', ['/var/run:5432', 'two:5432']],
    ['postgres://u:p@/d?host=one,two&port=1,2', ['one:1', 'two:2']],
    ['postgres:///d?host=one,/run/postgresql&port=7', ['one:7', '/run/postgresql:7']],
  ])('takes the servers of %s', (url, expected) => {
    expect(describeDatabase(url)).toBe(`${parseDatabaseAddress(url).database} at ${expected.join()}`);
  });

  it.each([
    ['postgres://one/d', false],
    ['postgres://one/d?target_session_attrs=any', false],
    ['postgres://one/d?target_session_attrs=read-write', true],
    ['postgres://one/d?target_session_attrs=primary', true],
    ['postgres://one,two/d', true],
  ])('says whether a server has to accept writes: %s, %s', (url, mustAcceptWrites) => {
    expect(parseDatabaseAddress(url)).toMatchObject({ mustAcceptWrites });
  });

  it('leaves user, password, database and the parameters of the driver to the driver', () => {
    const url =
      'postgres://u%40x:p%3Aw@one:1,two:2/d%20e?sslmode=verify-full&target_session_attrs=primary&options=-c%20a%3Db';
    expect(parseDatabaseAddress(url)).toMatchObject({
      hostlessUrl: 'postgres://u%40x:p%3Aw@localhost/d%20e?sslmode=verify-full&options=-c%20a%3Db',
      database: 'd%20e',
    });
  });

  it('takes the time that a connection may take to open', () => {
    expect(parseDatabaseAddress('postgres://one/d')).toMatchObject({ connectTimeoutMs: undefined });
    expect(parseDatabaseAddress('postgres://one/d?connect_timeout=30')).toMatchObject({
      connectTimeoutMs: 30_000,
      hostlessUrl: 'postgres://localhost/d',
    });
  });

  it.each([
    ['mysql://one/d', /must be a URL like postgres:/],
    ['postgres://one,two/d?port=1,2,3', /one port, or one for each of its 2 hosts/],
    ...['0', '-1', '1.5', 'x', '', '3601'].map((value): [string, RegExp] => [
      `postgres://one/d?connect_timeout=${value}`,
      /connect_timeout of 1 to 3600 seconds/,
    ]),
    ['postgres://one,two/d?target_session_attrs=standby', /target_session_attrs=read-write.*"standby"/],
  ])('refuses %s', (url, message) => {
    expect(() => parseDatabaseAddress(url)).toThrow(WrongDatabaseAddress);
    expect(() => parseDatabaseAddress(url)).toThrow(message);
  });
});

import { InvalidSetting } from './parsers.js';
import { parseRedisUrl } from './redis-url.js';

describe('parseRedisUrl', () => {
  it.each([
    'redis://one',
    'redis://u:p@one:6379/0',
    'rediss://:a,b@one:6380/15',
    'redis://u:a,b@one',
    'redis://[::1]:6379',
    'redis://sentinel.example:6379/',
    'redis://sentinel:cluster@one:6379/0?family=6',
    'redis+cluster://one:7000',
    'redis+cluster://one:7000,two:7001/',
    'rediss+cluster://u:p%2F@[::1]:7000,two:7001',
    'redis+sentinel://one:26379/mymaster',
    'rediss+sentinel://:a,b@one:26379,two:26379/mymaster/3?sentinel_username=s&sentinel_password=p+q',
  ])('takes %s', (url) => {
    expect(parseRedisUrl(url)).toBe(url.replace(/\/$/, ''));
  });

  it('never repeats the password of a URL that it refuses', () => {
    expect(() => parseRedisUrl('redis+cluster://u:secret@one')).toThrow(/^(?!.*secret)/);
  });

  it.each([
    [
      'redis-sentinel://one:26379,two:26379/mymaster/0',
      /redis\+sentinel:\/\/host:26379,host:26379\/name or redis\+cluster/,
    ],
    ['sentinel://one', /redis\+sentinel:\/\//],
    ['redis-cluster://one:7000', /redis\+cluster:\/\//],
    ['redis://one:6379,two:6379', /redis\+cluster:\/\//],
    ['redis://u:p@one,two/0', /redis\+cluster:\/\//],
    ['redis://one:26379/0?sentinels=two:26379&name=mymaster', /redis\+sentinel:\/\//],
    ['redis://one?cluster=true', /redis\+cluster:\/\//],
    ['redis+cluster://one', /a port for each node/],
    ['redis+cluster://one:7000,', /a port for each node/],
    ['redis+cluster://one:70000', /a port for each node/],
    ['redis+cluster://::1:7000', /\[::1\]:6379 for IPv6/],
    ['redis+cluster://u:a/b@one:7000', /percent-encoded, such as %2F/],
    ['redis+cluster://u:100%@one:7000', /% that must be written %25/],
    ['redis+cluster://secret@one:7000', /user:password@/],
    ['redis+cluster://one:7000/1', /a cluster has the database 0 alone/],
    ['redis+cluster://one:7000?family=6', /no parameters/],
    ['redis+sentinel://one/mymaster', /a port for each node/],
    ['redis+sentinel://one:26379', /the name of the primary/],
    ['redis+sentinel://one:26379/mymaster/x', /the number of a database/],
    ['redis+sentinel://one:26379/mymaster?name=x', /sentinel_username and sentinel_password/],
    ['redis://one:26379/mymaster', /number of a database/],
    ['http://one', /must be redis:\/\/host:6379/],
    ['redis:one', /must be redis:\/\/host:6379/],
  ])('refuses %s', (url, message) => {
    expect(() => parseRedisUrl(url)).toThrow(InvalidSetting);
    expect(() => parseRedisUrl(url)).toThrow(message);
  });
});

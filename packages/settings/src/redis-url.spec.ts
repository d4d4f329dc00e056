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
  ])('takes %s', (url) => {
    expect(parseRedisUrl(url)).toBe(url.replace(/\/$/, ''));
  });

  it.each([
    ['redis+sentinel://one:26379/mymaster', /one Redis server: Sentinel and Redis Cluster are not supported/],
    ['redis-sentinel://one:26379,two:26379/mymaster/0', /Sentinel and Redis Cluster are not supported/],
    ['rediss+sentinel://one', /Sentinel and Redis Cluster are not supported/],
    ['sentinel://one', /Sentinel and Redis Cluster are not supported/],
    ['redis+cluster://one', /Sentinel and Redis Cluster are not supported/],
    ['redis-cluster://one:7000', /Sentinel and Redis Cluster are not supported/],
    ['redis://one:6379,two:6379', /Sentinel and Redis Cluster are not supported/],
    ['redis://u:p@one,two/0', /Sentinel and Redis Cluster are not supported/],
    ['redis://one:26379/0?sentinels=two:26379&name=mymaster', /Sentinel and Redis Cluster are not supported/],
    ['redis://one?cluster=true', /Sentinel and Redis Cluster are not supported/],
    ['redis://one:26379/mymaster', /number of a database/],
    ['http://one', /starts with redis:/],
    ['redis:one', /starts with redis:/],
  ])('refuses %s', (url, message) => {
    expect(() => parseRedisUrl(url)).toThrow(InvalidSetting);
    expect(() => parseRedisUrl(url)).toThrow(message);
  });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { isOutage, messageOf } from './outage-errors.js';

describe('isOutage', () => {
  it('recognises a host that refuses connections, by the error itself and by that of a failed statement', async () => {
    const [refused] = (await once(connect(1, '127.0.0.1'), 'error')) as [Error];
    expect(messageOf(refused)).toMatch(/ECONNREFUSED/);
    expect(isOutage(refused)).toBe(true);
    expect(isOutage(new Error('The work failed.', { cause: refused }))).toBe(true);
  });

  it.each([
    'Connection is closed.',
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Command timed out',
    "READONLY You can't write against a read only replica.",
    'The quota store did not respond within 1000 ms.',
    'The database is not available: the database system is starting up',
  ])('recognises "%s"', (message) => expect(isOutage(new Error(message))).toBe(true));

  it.each([
    new TypeError('undefined is not a function'),
    new Error('a connection is missing'),
    'Connection is closed',
    undefined,
  ])('does not take %s for one', (error) => expect(isOutage(error)).toBe(false));
});

describe('messageOf', () => {
  it('returns that of the first of several addresses', () => {
    const errors = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')];
    expect(messageOf(new AggregateError(errors))).toBe('connect ECONNREFUSED ::1:5432');
    expect([messageOf(new Error('one')), messageOf('text')]).toEqual(['one', 'text']);
  });
});

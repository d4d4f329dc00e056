import { readableKey } from './readable-key.js';

describe('readableKey', () => {
  it.each([
    'invite-jo+x@bücher.example-2026',
    encodeURIComponent('jo+x@bücher.example'),
    encodeURIComponent(encodeURIComponent('jo+x@bücher.example')),
    Buffer.from('jo+x@bücher.example').toString('latin1'),
    '%6a%6F%2bx%40b%c3%bccher.example',
    '%FF%6ao+x@bücher.example%zz',
    '{"email":"jo\\u002Bx\\u0040b\\u00FCcher.example"}',
    '%7B%22to%22%3A%22jo%5Cu002bx%40b%C3%BCcher.example%22%7D',
  ])('contains the address of %j', (key) => {
    expect(readableKey({ key, path: '/v1/contacts' })).toContain('jo+x@bücher.example');
    expect(readableKey({ key: 'k', path: `/v1/blacklist/${key}` })).toContain('jo+x@bücher.example');
  });

  it('contains an address with a slash that JSON has escaped', () => {
    expect(readableKey({ key: 'a\\/b@x.example', path: '' })).toContain('a/b@x.example');
  });

  it('leaves what is not encoded as it is', () => {
    expect(readableKey({ key: '100%-\\up', path: '/v1/lists' }).split('\n')[0]).toBe('100%-\\up');
  });
});

import { similarPaths } from './similar-paths.js';

const find = similarPaths(
  [
    'GET /v1/contacts',
    'POST /v1/contacts',
    'GET /v1/contacts/:id',
    'POST /v1/contacts/:id/unsubscribe',
    'GET /v1/contacts/:id/activity',
    'GET /v1/email-accounts',
    'GET /v1/me',
    'GET /v1/tags',
    'POST /u/:token',
    'GET /docs',
  ].map((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return { method, path };
  }),
);

describe('similarPaths', () => {
  it.each([
    ['GET', '/v1/contact', 'GET /v1/contacts'],
    ['POST', '/v1/contact', 'POST /v1/contacts'],
    ['DELETE', '/v1/contact', 'GET /v1/contacts'],
    ['POST', '/v1/contacts/5/unsubscibe', 'POST /v1/contacts/{id}/unsubscribe'],
    ['GET', '/v1/ME', 'GET /v1/me'],
    ['GET', '/v2/me', 'GET /v1/me'],
    ['GET', '/v1/email_accounts', 'GET /v1/email-accounts'],
    ['GET', '/tags', 'GET /v1/tags'],
    ['GET', '/contacts/5', 'GET /v1/contacts/{id}'],
    ['GET', '/api/v1/tags', 'GET /v1/tags'],
    ['GET', '/doc', 'GET /docs'],
  ])('of %s %s is %s', (method, path, expected) => {
    expect(find(method, path)).toBe(expected);
  });

  it.each([
    '/',
    '/v1',
    '/nowhere',
    '/a/b',
    '/v1/x',
    '/v1/me/more',
    '/v1/contacts/5/phone',
    `/${'contacts'.repeat(1_000)}`,
  ])('of %s is none', (path) => {
    expect(find('GET', path)).toBeUndefined();
  });
});

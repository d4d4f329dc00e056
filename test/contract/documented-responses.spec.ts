import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from '../support/api-client.js';
import { type Exchange, undocumented } from '../support/documented-responses.js';
import { operationOf } from '../support/reference.js';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** The first response of an operation, as the reference shows it. */
const documented = (id: string): Exchange => {
  const { method, path, responses } = operationOf(id);
  const [status, { content }] = Object.entries<any>(responses)[0] ?? [];
  const body = content['application/json'].example;
  return {
    method,
    path: path.replaceAll(/\{\w+\}/g, '1'),
    status: Number(status),
    headers: new Headers(JSON_HEADERS),
    body: structuredClone(body),
  };
};

describe('the comparison of responses with the API reference', () => {
  const contact = (): Exchange => documented('getContact');
  const headers = (more: object): Headers => new Headers({ ...JSON_HEADERS, ...more });

  /** The example of an operation after a change of its body. */
  const changed = (id: string, change: (body: any) => void) => (): Exchange => {
    const exchange = documented(id);
    change(exchange.body);
    return exchange;
  };

  it('accepts the examples of the reference', () => {
    for (const id of ['getContact', 'listContacts', 'createContact', 'listEvents', 'getCampaignStats', 'getMe']) {
      expect([id, undocumented(documented(id))]).toEqual([id, undefined]);
    }
  });

  it.each<[string, () => Exchange, RegExp]>([
    ['a field', changed('getContact', ({ data }) => (data.colour = 1)), /additional properties.*colour/],
    ['a field of a tag', changed('getContact', ({ data }) => (data.tags[0].colour = 1)), /tags\/0/],
    ['a field of a page', changed('listContacts', ({ meta }) => (meta.pages = 1)), /meta.*pages/],
    ['the lack of a field', changed('getContact', ({ data }) => delete data.email), /email/],
    ['a type', changed('getContact', ({ data }) => (data.id = '1')), /data\/id must be integer/],
    ['a status', () => ({ ...contact(), status: 418 }), /status 418/],
    ['a media type', () => ({ ...contact(), headers: headers({ 'content-type': 'text/html' }) }), /text\/html/],
    ['a header', () => ({ ...contact(), headers: headers({ 'x-other': '1' }) }), /x-other/],
    ['a body of a response without one', () => ({ ...contact(), method: 'DELETE', status: 204 }), /a body/],
    ['a method', () => ({ ...contact(), method: 'POST' }), /the method/],
  ])('refuses %s which the reference does not have', (_, exchange, error) => {
    expect(undocumented(exchange())).toMatch(error);
  });

  it('accepts any names in maps', () => {
    const one = changed('getContact', ({ data }) => (data.custom_fields = { anything: 1 }))();
    expect(undocumented(one)).toBeUndefined();
  });

  it('is done for every response that a test client reads', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"data":{"another":1}}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'token', 1);
    await expect(client.get('/me')).rejects.toThrow(/does not describe the response 200 of GET \/v1\/me/);
    server.close();
  });
});

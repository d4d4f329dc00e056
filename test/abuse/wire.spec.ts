import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { useService } from '../support/service.js';

describe('bytes that are not a request of an ordinary client', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });

  /** Sends bytes on one connection and returns everything that the service sends until it closes the connection. */
  const reply = async (bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  };

  it.each<[string, number]>([
    ['GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 401],
    ['GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: something\r\nConnection: close\r\n\r\n', 417],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ['TRACE /v1/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
    ['NONSENSE /v1/me HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['GET /v1/me HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    [`GET /v1/me HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 400],
    [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['GET /v1/me HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n', 401],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['\u0016\u0003\u0001\u0000\u0000', 400],
  ])('%j get a reply with the error envelope', async (bytes, status) => {
    const received = await reply(bytes);
    expect(received.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    const body = JSON.parse(received.slice(received.indexOf('\r\n\r\n'))) as object;
    expect(body).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  });

  it('with a length and chunks are one request or none, so that a proxy and the service agree where it ends', async () => {
    const received = await reply(
      'POST /v1/contacts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4\r\n' +
        'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });
});

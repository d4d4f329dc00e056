import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type Request, type Response } from 'express';
import { readBody } from './body.js';
import { UnreadBody } from './unread-body.js';

/** Of the next request. */
let timeoutMs: number;

const READERS: readonly [string, (request: Request, response: Response) => Promise<unknown>][] = [
  ['JSON', (request, response) => readBody(express.json(), request, response, timeoutMs)],
  [
    'bytes that the route reads itself',
    (request, response) => new UnreadBody(request, response).read('application/json', 10, timeoutMs),
  ],
];

describe.each(READERS)('a body of %s', (_, readWith) => {
  const results: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    const parsed = Object.setPrototypeOf(request, express.request) as Request;
    const read = readWith(parsed, response as Response);
    results.push(read);
    read.then(
      () => response.end('read'),
      (error: { status: number }) => response.writeHead(error.status).end(),
    );
  });
  beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  afterAll(() => void server.close());

  /** Sends a part of a body of 10 bytes. @returns the response */
  async function responseTo(body: string): Promise<string> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    client.write(
      `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n${body}`,
    );
    const [text] = (await once(client, 'data')) as [string];
    client.destroy();
    return text;
  }

  it('ends with 408 if it does not arrive in time, and the connection is closed', async () => {
    timeoutMs = 50;
    expect(await responseTo('{"a":')).toMatch(/^HTTP\/1\.1 408 [^]*Connection: close\r\n/);
    await expect(results.at(-1)).rejects.toMatchObject({
      status: 408,
      message: 'The request body did not arrive within 0.05 seconds.',
    });
  });

  it('is read if it arrives in time', async () => {
    timeoutMs = 600_000;
    expect(await responseTo('{"a":1234}')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

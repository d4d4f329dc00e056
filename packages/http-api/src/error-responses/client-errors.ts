import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import { BadRequest, type DomainError, NotFound } from '@outreach/http-errors';
import { responseTo } from './error-response.js';
import { API_HEADERS, API_VERSION } from '../requests/index.js';

/** How long a client may take to read the response before its connection is closed. */
const CLOSE_MS = 1_000;

/** Requests with another `Expect` header than `100-continue` (RFC 9110, 10.1.1). */
const unexpected = new WeakSet<IncomingMessage>();

/**
 * Gives the error envelope to requests that Node itself would refuse with an empty body: those that are not valid HTTP,
 * e.g. with raw non-ASCII characters in the path (400), `CONNECT` (404), and those that {@link refuseClientErrors}
 * refuses.
 */
export function handleClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse }) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    respond(socket, unreadable(error));
  });
  server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    respond(socket, new NotFound());
  });
  server.on('checkExpectation', (request, response) => {
    unexpected.add(request);
    server.emit('request', request, response);
  });
  // An option of `createServer`, which Nest calls without options.
  Object.assign(server, { requireHostHeader: false });
}

const unreadable = ({ code }: NodeJS.ErrnoException): BadRequest =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new BadRequest(408, 'The request did not arrive in time.')
    : new BadRequest(400, 'The request could not be read: it is not valid HTTP.');

/** A middleware that refuses a request of HTTP/1.1 without `Host` (400) and one with an unknown `Expect` (417). */
export function refuseClientErrors(request: Request, response: Response, next: NextFunction): void {
  const error = clientErrorOf(request);
  if (error) response.setHeader('Connection', 'close');
  next(error);
}

function clientErrorOf(request: Request): BadRequest | undefined {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    return new BadRequest(400, 'The Host header is missing.');
  }
  return unexpected.has(request) ? new BadRequest(417, 'The Expect header must be 100-continue or absent.') : undefined;
}

/** Writes a response to a connection that has no `ServerResponse`, and closes it. */
function respond(socket: Duplex, error: DomainError): void {
  const { status, body } = responseTo(error);
  const text = JSON.stringify(body);
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', Buffer.byteLength(text)],
    ['Connection', 'close'],
    ['X-Request-Id', randomUUID()],
    ['X-API-Version', API_VERSION],
    ...API_HEADERS,
  ];
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map((header) => header.join(': '))];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { BadRequest } from '../errors/index.js';
import { errorResponse } from './error-response.js';

/**
 * Responds to requests that are not valid HTTP, e.g. with raw non-ASCII characters in the path, with 400 and the error
 * envelope. Node itself responds with an empty body.
 */
export function handleClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, body } = errorResponse(new BadRequest(400, 'The request could not be read: it is not valid HTTP.'));
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} Bad Request`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  });
}

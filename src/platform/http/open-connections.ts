import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';

/**
 * The connections of the HTTP server, so that it can stop without cutting off an answer. Node's own `close` waits, up
 * to a minute, for connections on which nothing was ever asked; browsers and load balancers keep such in reserve.
 */
@Injectable()
export class OpenConnections {
  private readonly unused = new Set<Socket>();
  private readonly answering = new Set<ServerResponse>();
  private server: Server | undefined;

  watch(server: Server): void {
    this.server = server;
    server.on('connection', (socket: Socket) => this.keep(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.unused.delete(request.socket);
      this.answering.add(response);
      response.once('close', () => {
        this.answering.delete(response);
        if (!server.listening) server.closeIdleConnections();
      });
    });
  }

  /** Takes no more connections and requests, and resolves when the requests in hand are answered. */
  async drain(): Promise<void> {
    const { server } = this;
    if (!server?.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.unused) socket.destroy();
    for (const response of this.answering) if (!response.headersSent) response.setHeader('Connection', 'close');
    await closed;
  }

  private keep(socket: Socket): void {
    this.unused.add(socket);
    socket.once('close', () => this.unused.delete(socket));
  }
}

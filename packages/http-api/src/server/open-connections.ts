import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';

/**
 * Tracks the connections of the HTTP server, so that it can stop without interrupting a response. Node's own `close`
 * waits up to a minute for connections without any request; browsers and load balancers open such in advance.
 */
@Injectable()
export class OpenConnections {
  private readonly unusedSockets = new Set<Socket>();
  private readonly activeResponses = new Set<ServerResponse>();
  private server: Server | undefined;
  private isStopping = false;

  watch(server: Server): void {
    this.server = server;
    server.on('connection', (socket: Socket) => this.track(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.unusedSockets.delete(request.socket);
      this.activeResponses.add(response);
      if (this.isStopping) response.setHeader('Connection', 'close');
      response.once('close', () => {
        this.activeResponses.delete(response);
        if (!server.listening) server.closeIdleConnections();
      });
    });
  }

  /** From now on every response closes its connection, so that the client opens the next one to another process. */
  prepareToDrain(): void {
    this.isStopping = true;
  }

  /** Stops accepting connections and requests. Resolves when the running requests have their responses. */
  async drain(): Promise<void> {
    const { server } = this;
    this.prepareToDrain();
    if (!server?.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.unusedSockets) socket.destroy();
    for (const response of this.activeResponses) if (!response.headersSent) response.setHeader('Connection', 'close');
    await closed;
  }

  private track(socket: Socket): void {
    this.unusedSockets.add(socket);
    socket.once('close', () => this.unusedSockets.delete(socket));
  }
}

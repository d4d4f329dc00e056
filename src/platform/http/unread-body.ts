import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { BadRequest } from '../errors/index.js';
import { hasBody, isAborted, readBody, requestAborted, startReading } from './body.js';
import { closeSignal } from './close-signal.js';

/** A body that has not been read yet: the route decides whether to read it. */
export class UnreadBody {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /** A signal that is aborted when the client closes the connection. */
  get closed(): AbortSignal {
    return closeSignal(this.response);
  }

  /**
   * Reads the body to its end. Returns an empty buffer if the request has none.
   * @param milliseconds how long the client may take to send it; as long as for other bodies by default
   * @throws BadRequest 408; 415 if it has another media type
   * @throws Error with the status 413 if it is larger than `maxBytes`
   */
  async read(mediaType: string, maxBytes: number, milliseconds?: number): Promise<Buffer> {
    if (!this.isSentAs(mediaType)) return Buffer.alloc(0);
    const parser = express.raw({ type: mediaType, limit: maxBytes });
    await readBody(parser, this.request, this.response, milliseconds);
    return this.request.body as Buffer;
  }

  /**
   * Reads the body to its end like {@link read}, but returns its first `storedBytes` only: the rest is discarded while it
   * arrives.
   * @throws BadRequest 400 if the client closes the connection before the end, 413, 415 for compressed bodies as well
   */
  async readStart(mediaType: string, maxBytes: number, storedBytes: number): Promise<Buffer> {
    if (!this.isSentAs(mediaType)) return Buffer.alloc(0);
    const { 'content-length': length, 'content-encoding': encoding = 'identity' } = this.request.headers;
    if (encoding !== 'identity') throw new BadRequest(415, 'The body must be sent without Content-Encoding.');
    if (Number(length) > maxBytes) throw tooLarge();
    startReading(this.request, this.response);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of this.request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (size < storedBytes) chunks.push(Buffer.from(chunk.subarray(0, storedBytes - size)));
        size += chunk.length;
        if (size > maxBytes) throw tooLarge();
      }
    } catch (error) {
      throw isAborted(this.request) ? requestAborted() : error;
    }
    return Buffer.concat(chunks);
  }

  /** Returns false if there is no body. @throws BadRequest 415 */
  private isSentAs(mediaType: string): boolean {
    if (!hasBody(this.request)) return false;
    if (!this.request.is(mediaType)) throw new BadRequest(415, `The body must be sent as ${mediaType}.`);
    return true;
  }
}

const tooLarge = (): BadRequest => new BadRequest(413, 'The request body is too large.');

/** The body of a route whose path is one of `HttpSetup.nonJsonBodies`. */
export const UnreadBodyParam = createParamDecorator((_: unknown, context: ExecutionContext): UnreadBody => {
  const http = context.switchToHttp();
  return new UnreadBody(http.getRequest<Request>(), http.getResponse<Response>());
});

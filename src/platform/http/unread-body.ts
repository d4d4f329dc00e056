import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { BadRequest } from '../errors/index.js';
import { hasBody, startReading } from './body.js';

/** A body that has not been read yet: the route decides whether to read it. */
export class UnreadBody {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /**
   * Reads the body to its end. Returns an empty buffer if the request has none.
   * @throws BadRequest 415 if it has another media type
   * @throws Error with the status 413 if it is larger than `maxBytes`
   */
  async read(mediaType: string, maxBytes: number): Promise<Buffer> {
    if (!hasBody(this.request)) return Buffer.alloc(0);
    if (!this.request.is(mediaType)) throw new BadRequest(415, `The body must be sent as ${mediaType}.`);
    startReading(this.request, this.response);
    const read = express.raw({ type: mediaType, limit: maxBytes });
    await new Promise<void>((resolve, reject) => {
      void read(this.request, this.response, (error?: Error) => (error ? reject(error) : resolve()));
    });
    return this.request.body as Buffer;
  }
}

/** The body of a route whose path is one of `HttpSetup.nonJsonBodies`. */
export const UnreadBodyParam = createParamDecorator((_: unknown, context: ExecutionContext): UnreadBody => {
  const http = context.switchToHttp();
  return new UnreadBody(http.getRequest<Request>(), http.getResponse<Response>());
});

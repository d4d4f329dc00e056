import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { BadRequest } from '@outreach/http-errors';
import { hasBody, isAborted, readBody, requestAborted, startReading } from './body.js';
import { closeSignal } from '../requests/index.js';
import { FormPart } from './form-part.js';

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
   * @throws BadRequest 400 if the client closes the connection before the end; 408; 415 if it has another media type
   * @throws Error with the status 413 if it is larger than `maxBytes`
   */
  async read(mediaType: string, maxBytes: number, milliseconds?: number): Promise<Buffer> {
    if (!this.isSentAs(mediaType)) return Buffer.alloc(0);
    const parser = express.raw({ type: mediaType, limit: maxBytes });
    await readBody(parser, this.request, this.response, milliseconds);
    const body: unknown = this.request.body;
    if (!Buffer.isBuffer(body)) throw requestAborted();
    return body;
  }

  /**
   * Reads the body to its end like {@link read}, but returns its first `storedBytes` only: the rest is discarded while it
   * arrives.
   * @throws BadRequest 400 if the client closes the connection before the end, 413, 415 for compressed bodies as well
   */
  async readStart(mediaType: string, maxBytes: number, storedBytes: number): Promise<Buffer> {
    if (!this.isSentAs(mediaType)) return Buffer.alloc(0);
    const chunks: Buffer[] = [];
    let size = 0;
    await this.readChunks(maxBytes, (chunk) => {
      if (size < storedBytes) chunks.push(Buffer.from(chunk.subarray(0, storedBytes - size)));
      size += chunk.length;
    });
    return Buffer.concat(chunks);
  }

  /**
   * Reads a form to its end like {@link readStart}, but returns the first `storedBytes` of one of its parts only, which may
   * be a field or a file. Returns undefined if it has no part of this name.
   * @throws BadRequest like {@link readStart}; 400 if the form is malformed
   */
  async readPart(name: string, maxBytes: number, storedBytes: number): Promise<Buffer | undefined> {
    if (!this.isSentAs('multipart/form-data')) return undefined;
    const part = new FormPart(this.request, name, storedBytes);
    await this.readChunks(maxBytes, (chunk) => part.write(chunk));
    return part.end();
  }

  /** @throws BadRequest 400, 413, 415 */
  private async readChunks(maxBytes: number, take: (chunk: Buffer) => void | Promise<void>): Promise<void> {
    const { 'content-length': length, 'content-encoding': encoding = 'identity' } = this.request.headers;
    if (encoding !== 'identity') throw new BadRequest(415, 'The body must be sent without Content-Encoding.');
    if (Number(length) > maxBytes) throw tooLarge();
    startReading(this.request, this.response);
    let size = 0;
    try {
      for await (const chunk of this.request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge();
        await take(chunk);
      }
    } catch (error) {
      throw isAborted(this.request) ? requestAborted() : error;
    }
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

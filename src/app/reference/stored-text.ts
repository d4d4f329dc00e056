import { pipeline, Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { entityTag, matchesWeakly } from '@outreach/http-api/responses';

/** A text that is the same for every client. It is in memory once, compressed: the API reference is a tenth of its size. */
export class StoredText {
  readonly #tag: string;

  /** @param compressed by gzip */
  constructor(
    private readonly mediaType: string,
    private readonly compressed: Buffer,
  ) {
    this.#tag = entityTag(compressed);
  }

  static of(mediaType: string, text: string): StoredText {
    return new StoredText(mediaType, gzipSync(text));
  }

  /** Responds with the text, or with 304 to a client that has it (RFC 9110, 13.1.2). */
  send(request: Request, response: Response): void {
    const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    // The two representations have two strong tags.
    const tag = isCompressed ? this.#tag.replace(/"$/, '-gzip"') : this.#tag;
    response
      .set({ 'Cache-Control': 'no-cache', ETag: tag, 'X-Content-Type-Options': 'nosniff' })
      .vary('Accept-Encoding');
    const known = request.headers['if-none-match'];
    if (known !== undefined && matchesWeakly(known, tag)) {
      response.status(304).end();
      return;
    }
    response.type(`${this.mediaType}; charset=utf-8`);
    if (isCompressed) response.set('Content-Encoding', 'gzip').end(this.compressed);
    else if (request.method === 'HEAD') response.end();
    else pipeline(Readable.from([this.compressed]), createGunzip(), response, closed);
  }
}

/** A client that goes away before the end is not an error. */
const closed = (): void => undefined;

import type { Response } from 'express';

/** The JSON of a record whose entity tag is in the headers; nothing of it is sent if the client has it already. */
export class TaggedJson {
  constructor(
    private readonly text: string,
    private readonly isNotModified: boolean,
  ) {}

  /** Writes 200, or 304 without a body. */
  write(response: Response): void {
    if (this.isNotModified) return void response.status(304).end();
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(this.text));
    response.end(this.text);
  }
}

import type { Response } from 'express';

/** A smaller body is written at once. */
const MAX_WHOLE_BYTES = 65_536;

/** An encoded JSON body in parts. */
export class JsonParts {
  constructor(readonly parts: readonly Buffer[]) {}

  /** Writes the parts one after the other, so that they are not copied into one. */
  write(response: Response): void {
    const length = this.parts.reduce((sum, part) => sum + part.length, 0);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', length);
    if (length <= MAX_WHOLE_BYTES) return void response.end(Buffer.concat(this.parts));
    for (const part of this.parts) response.write(part);
    response.end();
  }
}

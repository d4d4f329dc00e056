import { once } from 'node:events';
import busboy, { type Busboy } from 'busboy';
import type { Request } from 'express';
import { BadRequest } from '@outreach/http-errors';

/** The form is not one, is malformed or ends too early. */
export const malformedForm = (): BadRequest =>
  new BadRequest(400, 'The form could not be read: it is malformed or ends too early.');

const MAX_PARTS = 1_000;

/**
 * Collects the beginning of one part of a form (RFC 7578), which may be a field or a file. The rest of the form is
 * discarded while it arrives.
 */
export class FormPart {
  private readonly form: Busboy;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private isFound = false;
  private failure: unknown;

  /** @throws BadRequest 400 if the content type has no boundary */
  constructor(
    { headers }: Pick<Request, 'headers'>,
    private readonly name: string,
    private readonly storedBytes: number,
  ) {
    try {
      const limits = { parts: MAX_PARTS, fieldSize: storedBytes, fieldNameSize: 200 };
      // Fields without a charset are read as bytes.
      this.form = busboy({ headers, limits, defCharset: 'latin1' });
    } catch {
      throw malformedForm();
    }
    this.form.on('error', (error) => (this.failure ??= error));
    this.form.on('field', (field, value) => this.start(field) && this.add(bytesOf(value)));
    this.form.on('file', (field, file) => {
      const isWanted = this.start(field);
      file.on('data', (chunk: Buffer) => isWanted && this.add(chunk));
    });
  }

  /** @throws BadRequest 400 */
  async write(chunk: Buffer): Promise<void> {
    if (!this.form.write(chunk)) await once(this.form, 'drain').catch((error: unknown) => (this.failure ??= error));
    if (this.failure !== undefined) throw malformedForm();
  }

  /** Returns the beginning of the part, or undefined if the form has none of this name. @throws BadRequest 400 */
  async end(): Promise<Buffer | undefined> {
    const closed = once(this.form, 'close').catch((error: unknown) => (this.failure ??= error));
    this.form.end();
    await closed;
    if (this.failure !== undefined) throw malformedForm();
    return this.isFound ? Buffer.concat(this.chunks) : undefined;
  }

  /** Returns whether this is the first part of the name. */
  private start(field: string): boolean {
    if (this.isFound || field !== this.name) return false;
    this.isFound = true;
    return true;
  }

  private add(chunk: Buffer): void {
    const remaining = this.storedBytes - this.size;
    if (remaining > 0) this.chunks.push(Buffer.from(chunk.subarray(0, remaining)));
    this.size += chunk.length;
  }
}

/** A field that names its charset is decoded, and may have other characters. */
const bytesOf = (value: string): Buffer => Buffer.from(value, /[^\0-\xff]/.test(value) ? 'utf8' : 'latin1');

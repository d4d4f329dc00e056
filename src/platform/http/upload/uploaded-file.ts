import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A file that came with the request. It is removed with the answer, whatever that is. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** In bytes. */
    readonly size: number,
  ) {}

  /** SHA-256 of the content, in base64url. */
  async digest(): Promise<string> {
    const hash = createHash('sha256');
    const chunks: AsyncIterable<Buffer> = createReadStream(this.path);
    for await (const chunk of chunks) hash.update(chunk);
    return hash.digest('base64url');
  }
}

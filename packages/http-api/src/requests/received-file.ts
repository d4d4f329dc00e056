import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A file of the request. It is deleted when the request ends. */
export class ReceivedFile {
  constructor(
    readonly path: string,
    /** In bytes. */
    readonly size: number,
    /** As the client calls it, without its folders, cut to 255 characters; null if it has no name. */
    readonly name: string | null,
  ) {}

  /** SHA-256 of the content, in base64url. */
  async digest(): Promise<string> {
    const hash = createHash('sha256');
    const chunks: AsyncIterable<Buffer> = createReadStream(this.path);
    for await (const chunk of chunks) hash.update(chunk);
    return hash.digest('base64url');
  }
}

import { ThreadPool } from '@outreach/concurrency';
import { type DkimSigner, signed } from './dkim-signature.js';
import { toMime } from './mime.js';
import type { WrittenMail } from './written-mail.js';

/** The encoding of a longer message may occupy the event loop for more than ten milliseconds; a thread encodes it. */
const MAX_INLINE_LENGTH = 32 * 1024;
const TIMEOUT_MS = 60_000;

export interface MimeTask {
  readonly mail: WrittenMail;
  readonly signer: DkimSigner | undefined;
}

/** Encodes mails in MIME. Large messages do not occupy the event loop. */
export class MimeEncoder {
  private readonly threads = new ThreadPool<MimeTask, Uint8Array>(new URL('./mime.worker.js', import.meta.url), {
    concurrency: 2,
    timeoutMs: TIMEOUT_MS,
  });

  /**
   * Returns the complete message in the format of RFC 5322 and MIME, in lines of 7-bit characters, with a DKIM signature
   * if there is a signer.
   * @param owner the owners of large messages alternate
   */
  async encode(owner: number, mail: WrittenMail, signer?: DkimSigner): Promise<Buffer> {
    if (mail.html.length + mail.text.length <= MAX_INLINE_LENGTH) {
      const message = toMime(mail);
      return signer ? signed(message, signer) : message;
    }
    const { buffer, byteOffset, byteLength } = await this.threads.run(owner, { mail, signer });
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

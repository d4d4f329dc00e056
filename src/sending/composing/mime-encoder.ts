import { Injectable } from '@nestjs/common';
import type { ComposedMail } from '../../email-accounts/index.js';
import { ThreadPool } from '@outreach/concurrency';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type DkimSigner, signed } from './dkim.js';
import { toMime } from './mime.js';

/** The encoding of a longer message may occupy the event loop for more than ten milliseconds; a thread encodes it. */
const MAX_INLINE_LENGTH = 32 * 1024;
const TIMEOUT_MS = 60_000;

export interface MimeTask {
  readonly mail: ComposedMail;
  readonly signer: DkimSigner | undefined;
}

/** Encodes composed mails in MIME. Large messages do not occupy the event loop. */
@Injectable()
export class MimeEncoder {
  private readonly threads = new ThreadPool<MimeTask, Uint8Array>(new URL('./mime.worker.js', import.meta.url), {
    ...FAIR_QUEUES.encoding,
    timeoutMs: TIMEOUT_MS,
  });

  /**
   * Returns the complete message in the format of RFC 5322 and MIME, in lines of 7-bit characters, with a DKIM signature
   * if there is a signer.
   */
  async encode({ workspace_id: workspaceId }: Workspace, mail: ComposedMail, signer?: DkimSigner): Promise<Buffer> {
    if (mail.html.length + mail.text.length <= MAX_INLINE_LENGTH) {
      const message = toMime(mail);
      return signer ? signed(message, signer) : message;
    }
    const { buffer, byteOffset, byteLength } = await this.threads.run(workspaceId, { mail, signer });
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

type Workspace = Pick<WorkspaceScope, 'workspace_id'>;

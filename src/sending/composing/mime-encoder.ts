import { Injectable } from '@nestjs/common';
import type { ComposedMail } from '../../email-accounts/index.js';
import { ThreadPool } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { toMime } from './mime.js';

/** The encoding of a longer message may occupy the event loop for more than ten milliseconds; a thread encodes it. */
const MAX_INLINE_LENGTH = 32 * 1024;
const TIMEOUT_MS = 60_000;

/** Encodes composed mails in MIME. Large messages do not occupy the event loop. */
@Injectable()
export class MimeEncoder {
  private readonly threads = new ThreadPool<ComposedMail, Uint8Array>(new URL('./mime.worker.js', import.meta.url), {
    threads: 2,
    timeoutMs: TIMEOUT_MS,
  });

  /** Returns the complete message in the format of RFC 5322 and MIME, in lines of 7-bit characters. */
  async encode({ workspace_id: workspaceId }: Workspace, mail: ComposedMail): Promise<Buffer> {
    if (mail.html.length + mail.text.length <= MAX_INLINE_LENGTH) return toMime(mail);
    const { buffer, byteOffset, byteLength } = await this.threads.run(workspaceId, mail);
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

type Workspace = Pick<WorkspaceScope, 'workspace_id'>;

import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Signer } from '../platform/crypto/index.js';

/** A message as a signed token names it. */
export interface MessageRef {
  readonly workspace_id: number;
  readonly message_id: number;
}

const UNSUBSCRIBE = 'unsubscribe';

/** The addresses in a message that lead back to the service. Signed, so that nobody can make one up or change it. */
@Injectable()
export class MessageLinks {
  constructor(
    private readonly signer: Signer,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  /** The page, and the one-click target of RFC 8058, that unsubscribe the recipient of a message. */
  unsubscribeUrl(message: MessageRef): string {
    const token = this.signer.signIds(UNSUBSCRIBE, [message.workspace_id, message.message_id]);
    return `${this.config.public_url}/u/${token}`;
  }

  /** The message behind the token of an unsubscribe link, unless it was not made here. */
  unsubscribeRef(token: string): MessageRef | undefined {
    const ids = this.signer.verifyIds(UNSUBSCRIBE, token, 2);
    return ids && { workspace_id: ids[0], message_id: ids[1] };
  }

  /** The `Message-ID` of an (enrollment, step), without angle brackets: the same whenever it is asked for. */
  messageId(workspaceId: number, message: { enrollment_id: number; step_id: number }, fromEmail: string): string {
    const token = this.signer.signIds('message-id', [workspaceId, message.enrollment_id, message.step_id]);
    return `${token}@${fromEmail.slice(fromEmail.lastIndexOf('@') + 1)}`;
  }
}

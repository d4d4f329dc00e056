import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Signer } from '../platform/crypto/index.js';

/** A message as a signed token names it. */
export interface MessageRef {
  readonly workspace_id: number;
  readonly message_id: number;
}

/** A link of a message, as a signed token holds it. */
export interface MessageLink extends MessageRef {
  /** Which link of the body it is, from 1, or {@link HIDDEN_LINK}. */
  readonly link: number;
  /** Where it leads: nobody can change that, and it needs no message that is still there. */
  readonly url: string;
}

/** The number of the link that no person sees: who follows it is a machine. */
export const HIDDEN_LINK = 0;

const UNSUBSCRIBE = 'unsubscribe';
const OPEN = 'open';
const CLICK = 'click';
const MESSAGE_ID = 'message-id';

const WEB_ADDRESS = /^https?:\/\/[^\s/?#]/i;
const LINK = /^(\d+) (\d+) (\d+) (.+)$/s;
/** A longer one does not survive all mail programs, servers and proxies once it is signed and encoded. */
const MAX_TARGET_BYTES = 2048;

/** The addresses in a message that lead back to the service. Signed, so that nobody can make one up or change it. */
@Injectable()
export class MessageLinks {
  private readonly ownAddresses: readonly string[];

  constructor(
    private readonly signer: Signer,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {
    this.ownAddresses = ['u', 't'].map((path) => `${config.public_url}/${path}/`);
  }

  /** The page, and the one-click target of RFC 8058, that unsubscribe the recipient of a message. */
  unsubscribeUrl(message: MessageRef): string {
    return `${this.config.public_url}/u/${this.messageToken(UNSUBSCRIBE, message)}`;
  }

  /** The message behind the token of an unsubscribe link, unless it was not made here. */
  unsubscribeRef(token: string): MessageRef | undefined {
    return this.messageRef(UNSUBSCRIBE, token);
  }

  /** The picture that a mail program loads when the message is opened. */
  openUrl(message: MessageRef): string {
    return `${this.config.public_url}/t/o/${this.messageToken(OPEN, message)}.gif`;
  }

  /** The message behind the token of such a picture, unless it was not made here. */
  openRef(token: string): MessageRef | undefined {
    return this.messageRef(OPEN, token);
  }

  /** Whether links to an address may lead there by way of the service: those to the web, but for the service's own. */
  isTrackable(url: string): boolean {
    return (
      WEB_ADDRESS.test(url) &&
      Buffer.byteLength(url) <= MAX_TARGET_BYTES &&
      !this.ownAddresses.some((address) => url.startsWith(address))
    );
  }

  /** The address that leads to a link's target and counts the click. */
  clickUrl({ workspace_id, message_id, link, url }: MessageLink): string {
    const token = this.signer.sign(CLICK, Buffer.from(`${workspace_id} ${message_id} ${link} ${url}`));
    return `${this.config.public_url}/t/c/${token}`;
  }

  /** The link behind the token of such an address, unless it was not made here. */
  clickedLink(token: string): MessageLink | undefined {
    const [, workspaceId, messageId, link, url] = LINK.exec(this.signer.verify(CLICK, token)?.toString() ?? '') ?? [];
    if (url === undefined) return undefined;
    return { workspace_id: Number(workspaceId), message_id: Number(messageId), link: Number(link), url };
  }

  /** The `Message-ID` of an (enrollment, step), without angle brackets: the same whenever it is asked for. */
  messageId(workspaceId: number, message: { enrollment_id: number; step_id: number }, fromEmail: string): string {
    const token = this.signer.signIds(MESSAGE_ID, [workspaceId, message.enrollment_id, message.step_id]);
    return `${token}@${fromEmail.slice(fromEmail.lastIndexOf('@') + 1)}`;
  }

  /** The enrollment that a `Message-ID` was made for, unless it was not made here, for this workspace. */
  enrollmentOf(workspaceId: number, messageId: string): number | undefined {
    const [token = ''] = messageId.split('@', 1);
    const ids = this.signer.verifyIds(MESSAGE_ID, token, 3);
    return ids?.[0] === workspaceId ? ids[1] : undefined;
  }

  private messageToken(purpose: string, { workspace_id, message_id }: MessageRef): string {
    return this.signer.signIds(purpose, [workspace_id, message_id]);
  }

  private messageRef(purpose: string, token: string): MessageRef | undefined {
    const ids = this.signer.verifyIds(purpose, token, 2);
    return ids && { workspace_id: ids[0], message_id: ids[1] };
  }
}

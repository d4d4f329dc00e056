import { Inject, Injectable } from '@nestjs/common';
import { Signer, unverifiedIds } from '@outreach/keyring';
import { CONFIG, type Config } from '../platform/config/index.js';
import { Keyring } from '../platform/crypto/index.js';

/** The IDs of a message in a signed token. */
export interface MessageRef {
  readonly workspace_id: number;
  readonly message_id: number;
}

/** What an unsubscribe link refers to. */
export interface UnsubscribeRef extends MessageRef {
  /**
   * The address that the message was sent to, so that the link works after the contact was deleted or got another
   * address. Links of earlier versions do not contain it.
   */
  readonly address?: string;
}

/** A link of a message, as it is stored in a signed token. */
export interface MessageLink extends MessageRef {
  /** The position of the link in the body, from 1, or `HIDDEN_LINK`. */
  readonly link: number;
  /** The target. It is part of the signed token, so it cannot be changed, and works after the message is deleted. */
  readonly url: string;
}

/** What a `Message-ID` is made of: the step of an enrollment, or else the message. */
export type MessageOrigin =
  | { readonly enrollment_id: number; readonly step_id: number }
  | { readonly enrollment_id: number; readonly step_id: null; readonly id: number };

const UNSUBSCRIBE = 'unsubscribe';
const UNSUBSCRIBE_ADDRESS = 'unsubscribe-address';
const OPEN = 'open';
const CLICK = 'click';
const MESSAGE_ID = 'message-id';
/** The ID of no step. */
const NO_STEP = 0;
/** How many IDs the token of a `Message-ID` has: of workspace, enrollment and step, and of the message if it has no step. */
const MESSAGE_ID_LENGTHS: readonly number[] = [3, 4];

const WEB_ADDRESS = /^https?:\/\/[^\s/?#]/i;
const ADDRESSED = /^(\d+) (\d+) (.+)$/s;
const LINK = /^(\d+) (\d+) (\d+) (.+)$/s;
/** Outlook cuts subjects after 255 characters. */
const MAX_SUBJECT_TOKEN_LENGTH = 230;
const TOKEN_IN_SUBJECT = /\bunsubscribe[ :+]{1,3}([\w-]{20,400})(?:\s|$)/i;
/** Some mail programs, servers and proxies break longer addresses after these were signed and encoded. */
const MAX_TARGET_BYTES = 2048;

/** The addresses in a message that lead back to the service. They are signed, so that they cannot be forged. */
@Injectable()
export class MessageLinks {
  private ownAddresses: readonly string[];

  constructor(
    private readonly signer: Signer,
    private readonly keyring: Keyring,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {
    this.ownAddresses = ['u', 't'].map((path) => `${config.public_url}/${path}/`);
  }

  /** Returns the same links at the tracking domain of a workspace; these if it has none. */
  at(domain: string | null): MessageLinks {
    if (domain === null) return this;
    const public_url = `https://${domain}${pathOf(this.config.public_url)}`;
    const links = new MessageLinks(this.signer, this.keyring, { public_url });
    links.ownAddresses = [...links.ownAddresses, ...this.ownAddresses];
    return links;
  }

  /**
   * Returns the address of the unsubscribe page of a message, which is also the one-click target of RFC 8058. The
   * address of the recipient is encrypted in it.
   */
  unsubscribeUrl({ address, ...message }: UnsubscribeRef): string {
    const token =
      address === undefined ? this.messageToken(UNSUBSCRIBE, message) : this.addressedToken(message, address);
    return `${this.config.public_url}/u/${token}`;
  }

  /**
   * Returns the `mailto:` address (RFC 6068) of a mail to the sender that unsubscribes the recipient: its subject has the
   * token. The address of the recipient is encrypted in it, unless the subject would be too long.
   */
  unsubscribeMailto({ address, ...message }: Required<UnsubscribeRef>, fromEmail: string): string {
    const addressed = this.addressedToken(message, address);
    const isShort = addressed.length <= MAX_SUBJECT_TOKEN_LENGTH;
    const token = isShort ? addressed : this.messageToken(UNSUBSCRIBE, message);
    const to = encodeURIComponent(fromEmail).replaceAll('%40', '@');
    return `mailto:${to}?subject=${UNSUBSCRIBE}%20${token}`;
  }

  /** Returns what the token in the subject of such a mail refers to, or undefined if it has none that is valid. */
  unsubscribeRefIn(subject: string): UnsubscribeRef | undefined {
    const token = TOKEN_IN_SUBJECT.exec(subject)?.[1];
    return token === undefined ? undefined : this.unsubscribeRef(token);
  }

  /** Returns what an unsubscribe token refers to, or undefined if the signature is not valid. */
  unsubscribeRef(token: string): UnsubscribeRef | undefined {
    return this.messageRef(UNSUBSCRIBE, token) ?? this.addressedRef(token);
  }

  /** Returns the address of the image that a mail program loads when the message is opened. */
  openUrl(message: MessageRef): string {
    return `${this.config.public_url}/t/o/${this.messageToken(OPEN, message)}.gif`;
  }

  /** Returns the message of the token of such an image, or undefined if the signature is not valid. */
  openRef(token: string): MessageRef | undefined {
    return this.messageRef(OPEN, token);
  }

  /**
   * Returns whether clicks on an address can be tracked: it is a web address, not too long, and not one of the service.
   */
  isTrackable(url: string): boolean {
    return (
      WEB_ADDRESS.test(url) &&
      Buffer.byteLength(url) <= MAX_TARGET_BYTES &&
      !this.ownAddresses.some((address) => url.startsWith(address))
    );
  }

  /** Returns the address that records a click and redirects to the target of the link. */
  clickUrl({ workspace_id, message_id, link, url }: MessageLink): string {
    const token = this.signer.sign(CLICK, Buffer.from(`${workspace_id} ${message_id} ${link} ${url}`));
    return `${this.config.public_url}/t/c/${token}`;
  }

  /** Returns the link of the token of such an address, or undefined if the signature is not valid. */
  clickedLink(token: string): MessageLink | undefined {
    const [, workspaceId, messageId, link, url] = LINK.exec(this.signer.verify(CLICK, token)?.toString() ?? '') ?? [];
    if (url === undefined) return undefined;
    return { workspace_id: Number(workspaceId), message_id: Number(messageId), link: Number(link), url };
  }

  /**
   * Returns the `Message-ID` of an (enrollment, step), or of a message without a step, without angle brackets. It is
   * always the same.
   */
  messageId(workspaceId: number, message: MessageOrigin, fromEmail: string): string {
    const { enrollment_id: enrollment, step_id: step } = message;
    const ids = step === null ? [workspaceId, enrollment, NO_STEP, message.id] : [workspaceId, enrollment, step];
    const token = this.signer.signIds(MESSAGE_ID, ids);
    return `${token}@${fromEmail.slice(fromEmail.lastIndexOf('@') + 1)}`;
  }

  /** Returns the enrollment of a `Message-ID`, or undefined if it was not created here for this workspace. */
  enrollmentOf(workspaceId: number, messageId: string): number | undefined {
    const at = messageId.indexOf('@');
    const token = at < 0 ? messageId : messageId.slice(0, at);
    const ids = unverifiedIds(token);
    // Most Message-IDs of others end here, and those of other workspaces: a MAC takes longer.
    if (ids?.[0] !== workspaceId || !MESSAGE_ID_LENGTHS.includes(ids.length)) return undefined;
    return this.signer.verify(MESSAGE_ID, token) ? ids[1] : undefined;
  }

  /** Returns the workspace of the token of any address in a message, or undefined if the signature is not valid. */
  workspaceOf(token: string): number | undefined {
    return (this.unsubscribeRef(token) ?? this.openRef(token) ?? this.clickedLink(token))?.workspace_id;
  }

  private addressedToken(message: MessageRef, address: string): string {
    const encrypted = this.keyring.encrypt(address, contextOf(message));
    const payload = `${message.workspace_id} ${message.message_id} ${encrypted}`;
    return this.signer.sign(UNSUBSCRIBE_ADDRESS, Buffer.from(payload));
  }

  private addressedRef(token: string): UnsubscribeRef | undefined {
    const payload = this.signer.verify(UNSUBSCRIBE_ADDRESS, token)?.toString() ?? '';
    const [, workspaceId, messageId, encrypted] = ADDRESSED.exec(payload) ?? [];
    if (encrypted === undefined) return undefined;
    const message = { workspace_id: Number(workspaceId), message_id: Number(messageId) };
    return { ...message, address: this.keyring.decrypt(encrypted, contextOf(message)) };
  }

  private messageToken(purpose: string, { workspace_id, message_id }: MessageRef): string {
    return this.signer.signIds(purpose, [workspace_id, message_id]);
  }

  private messageRef(purpose: string, token: string): MessageRef | undefined {
    const ids = this.signer.verifyIds(purpose, token, 2);
    return ids && { workspace_id: ids[0], message_id: ids[1] };
  }
}

/** The path under which a proxy serves the service, without a slash at its end; mostly none. */
const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

const contextOf = ({ workspace_id, message_id }: MessageRef): string => `unsubscribe:${workspace_id}:${message_id}`;

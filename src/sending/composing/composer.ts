import { setImmediate as nextIteration } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ComposedMail } from '../../email-accounts/index.js';
import { FairQueue } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { TemplateBody } from '../../templates/index.js';
import { MessageLinks } from '../message-links.js';
import { compose, loadBody, type MailSource, type Sender } from './compose.js';
import { Tracking } from './tracking.js';

/** The sender of a message, and the postal address of its workspace. */
export interface MailSender extends Sender {
  readonly postal_address?: string;
}

/** After so much composing, connections are served before the next message is composed. */
const MAX_COMPOSING_MS = 10;

/** Composes messages with their Message-ID, their unsubscribe link and, if the campaign tracks, the tracking links. */
@Injectable()
export class Composer {
  /** Workspaces alternate, because a process composes one message at a time. */
  private readonly places = new FairQueue({ concurrency: 1 });
  private composingMs = 0;

  constructor(private readonly links: MessageLinks) {}

  /**
   * Composes one message. A message that was composed before keeps its Message-ID.
   * @throws RenderedTooLong, TemplateTooComplex, TemplateTooLarge
   */
  async compose(scope: Workspace, sender: MailSender, source: MailSource): Promise<ComposedMail> {
    const body = await loadBody(source, scope.workspace_id);
    return this.places.run(scope.workspace_id, async () => {
      const startedAt = performance.now();
      try {
        return this.composeNow(scope, { ...source, sender }, body);
      } finally {
        this.composingMs += performance.now() - startedAt;
        if (this.composingMs > MAX_COMPOSING_MS) await this.serveConnections();
      }
    });
  }

  private async serveConnections(): Promise<void> {
    await nextIteration();
    this.composingMs = 0;
  }

  private composeNow(
    { workspace_id: workspaceId }: Workspace,
    source: AddressedSource,
    body: TemplateBody,
  ): ComposedMail {
    const ref = { workspace_id: workspaceId, message_id: source.id };
    const { sender } = source;
    const tracks = source.track_opens || source.track_clicks;
    return compose(source, body, {
      workspace_id: workspaceId,
      sender: { name: sender.name, email: sender.email },
      sender_address: sender.postal_address ?? '',
      message_id: source.message_id ?? this.links.messageId(workspaceId, source, sender.email),
      unsubscribe_url: this.links.unsubscribeUrl({ ...ref, address: source.contact.email }),
      ...(tracks && { tracking: new Tracking(this.links, ref, source) }),
    });
  }
}

type AddressedSource = MailSource & { readonly sender: MailSender };
type Workspace = Pick<WorkspaceScope, 'workspace_id'>;

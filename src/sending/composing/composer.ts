import { setImmediate as nextIteration } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BackgroundSteps, FairQueue, runSome } from '@outreach/concurrency';
import type { ComposedMail } from '../../email-accounts/index.js';
import type { TemplateBody } from '@outreach/template-language';
import { FAIR_QUEUES } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type BrandValues, templateError } from '../../templates/index.js';
import { MessageLinks, type MessageOrigin } from '../message-links.js';
import { composeTest, type TestSender, type TestSource } from './compose-test.js';
import { compose, loadBody, type MailSource, type Sender } from './compose.js';
import { composeOwnContent } from './own-content.js';
import { Tracking } from './tracking.js';

/** The sender of a message, and the postal address and the brand of its workspace. */
export interface MailSender extends Sender {
  readonly postal_address: string;
  readonly brand: BrandValues;
  /** The host name with which its links begin; null for that of the service. */
  readonly link_domain: string | null;
  /** Whether the service reads the mails to the sender. */
  readonly reads_mailbox: boolean;
}

/** After so much composing, connections are served before the next message is composed. */
const MAX_COMPOSING_MS = 10;

/** A longer body has so many links that its message is composed in the background, after shorter ones. */
const MAX_INLINE_LENGTH = 16 * 1024;

/**
 * Composes messages with their Message-ID, their unsubscribe link and, if the campaign tracks, the tracking links. Large
 * ones are composed in steps of two milliseconds, of which those of all workspaces together take half of the time, so
 * that they do not delay the small messages of other workspaces.
 */
@Injectable()
export class Composer {
  /** Workspaces alternate: each composes one small message, or the first two milliseconds of it. */
  private readonly places = new FairQueue(FAIR_QUEUES.composing);
  private composingMs = 0;

  constructor(
    private readonly links: MessageLinks,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * Composes one message. A message that was composed before keeps its Message-ID.
   * @throws RuleViolated if its template exceeds a limit
   */
  compose(scope: Workspace, sender: MailSender, source: MailSource): Promise<ComposedMail> {
    return this.composed(scope, sender, source).catch(rethrow);
  }

  /** Composes a test of a step. @throws RuleViolated if its template exceeds a limit */
  composeTest(scope: Workspace, sender: TestSender, source: TestSource): Promise<ComposedMail> {
    return this.composedTest(scope, sender, source).catch(rethrow);
  }

  private async composed(scope: Workspace, sender: MailSender, source: MailSource): Promise<ComposedMail> {
    if (source.to_address !== null) {
      const message_id = this.messageIdOf(scope, source, sender);
      return composeOwnContent({ ...source, to_address: source.to_address, message_id }, sender, scope.workspace_id);
    }
    const body = await loadBody(source, scope.workspace_id);
    const work = this.stepsOf(scope, { ...source, sender }, body);
    if (source.body.length > MAX_INLINE_LENGTH) return this.steps.finish(scope.workspace_id, work);
    const first = await this.runFirst(scope, work);
    return first.done ? first.value : this.steps.finish(scope.workspace_id, work);
  }

  private async composedTest(scope: Workspace, sender: TestSender, source: TestSource): Promise<ComposedMail> {
    const body = await loadBody(source, scope.workspace_id);
    return this.steps.finish(scope.workspace_id, composeTest(source, body, sender));
  }

  private messageIdOf({ workspace_id: workspaceId }: Workspace, source: MailSource, sender: Sender): string {
    return source.message_id ?? this.links.messageId(workspaceId, originOf(source), sender.email);
  }

  private runFirst({ workspace_id: workspaceId }: Workspace, work: Composing): Promise<ReturnType<Composing['next']>> {
    return this.places.run(workspaceId, async () => {
      const startedAt = performance.now();
      try {
        return runSome(work);
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

  private stepsOf({ workspace_id: workspaceId }: Workspace, source: AddressedSource, body: TemplateBody): Composing {
    const ref = { workspace_id: workspaceId, message_id: source.id };
    const { sender } = source;
    const links = this.links.at(sender.link_domain);
    const tracks = source.may_track && (source.track_opens || source.track_clicks);
    return compose(source, body, {
      workspace_id: workspaceId,
      sender: { name: sender.name, email: sender.email },
      sender_address: sender.postal_address,
      brand: sender.brand,
      message_id: this.messageIdOf({ workspace_id: workspaceId }, source, sender),
      unsubscribe_url: links.unsubscribeUrl({ ...ref, address: source.contact.email }),
      ...(sender.reads_mailbox && {
        unsubscribe_mailto: links.unsubscribeMailto({ ...ref, address: source.contact.email }, sender.email),
      }),
      ...(tracks && { tracking: new Tracking(links, ref, source) }),
    });
  }
}

const originOf = ({ id, enrollment_id, step_id }: MailSource): MessageOrigin =>
  step_id === null ? { id, enrollment_id, step_id } : { enrollment_id, step_id };

function rethrow(error: unknown): never {
  throw templateError(error);
}

type Composing = Generator<undefined, ComposedMail>;
type AddressedSource = MailSource & { readonly sender: MailSender };
type Workspace = Pick<WorkspaceScope, 'workspace_id'>;

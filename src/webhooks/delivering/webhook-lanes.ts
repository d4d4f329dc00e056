import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../platform/database/index.js';
import { PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { OpenedSecret, WebhookSecrets } from '../secrets.js';
import { Attempts } from './attempts.js';
import { lookUp, type TakenLane, type Target } from './lane.queries.js';
import type { MadeAttempt } from './record.queries.js';
import { AttemptRecorder } from './recorder.js';

/** What the deliveries of one workspace ask and write together. */
interface Batches {
  /** Undefined for a delivery that must not go any more. */
  readonly looks: Coalescer<number, Target | undefined>;
  readonly delivered: Coalescer<MadeAttempt, undefined>;
}

/** What the deliveries to one webhook have in common. */
export interface WebhookLane extends TakenLane {
  readonly scope: WorkspaceScope;
  readonly webhook_id: number;
  readonly batches: Batches;
  readonly secret: OpenedSecret;
  readonly attempts: Attempts;
  readonly recorder: AttemptRecorder;
}

const MOST_RECORDED_AT_ONCE = 500;

/** Puts together what deliveries need; those of a workspace share their statements, whichever webhook they are for. */
@Injectable()
export class WebhookLanes {
  private readonly batches = new PerWorkspace((scope) => this.create(scope));

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly attempts: Attempts,
    private readonly recorder: AttemptRecorder,
  ) {}

  of(scope: WorkspaceScope, webhookId: number, taken: TakenLane): WebhookLane {
    const { attempts, recorder } = this;
    const secret = new OpenedSecret(this.secrets, scope);
    return { ...taken, scope, webhook_id: webhookId, batches: this.batches.of(scope), secret, attempts, recorder };
  }

  private create(scope: WorkspaceScope): Batches {
    return {
      looks: new Coalescer(async (ids) => {
        const targets = new Map((await lookUp(scope, ids)).map((target) => [target.id, target]));
        return ids.map((id) => targets.get(id));
      }),
      // One at a time: two that write to the same webhooks would wait for each other.
      delivered: new Coalescer(
        async (made) => {
          await this.recorder.delivered(scope, made);
          return made.map(() => undefined);
        },
        MOST_RECORDED_AT_ONCE,
        1,
      ),
    };
  }
}

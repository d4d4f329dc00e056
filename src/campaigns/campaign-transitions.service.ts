import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/index.js';
import { Conflict, RuleViolated } from '../platform/errors/index.js';
import { DomainEvents } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { CampaignCompletion } from './campaign/campaign-completion.service.js';
import { Campaign } from './campaign/campaign.entity.js';
import type { CampaignRecord } from './campaign.view.js';
import { campaignRecords, hasUsableAccount, activateCampaign, pauseCampaign } from './campaigns.queries.js';
import { prepareForStart } from './enrollments/campaign-start.queries.js';
import { stepsInOrder } from './steps/steps.queries.js';

class AlreadyActive extends Conflict {
  constructor() {
    super('The campaign is already active.');
  }
}

class NotActive extends Conflict {
  constructor() {
    super('Only an active campaign can be paused.');
  }
}

class CampaignWithoutSteps extends RuleViolated {
  constructor() {
    super('A campaign needs a step before it can start.');
  }
}

class CampaignWithoutAccount extends RuleViolated {
  override readonly reason = 'no_account';
  constructor() {
    super(
      'A campaign needs an active email account before it can start: one of email_account_ids, or the default account ' +
        'if it never had its own.',
    );
  }
}

/** Starts and pauses campaigns. Neither updates the enrollments, unless the first step has a delay. */
@Injectable()
export class CampaignTransitions {
  constructor(
    private readonly events: DomainEvents,
    private readonly completion: CampaignCompletion,
  ) {}

  /** Draft, paused or completed → active. Returns the updated campaign. @throws NotFound, AlreadyActive, CampaignWithoutSteps, CampaignWithoutAccount */
  async start(scope: WorkspaceScope, id: number): Promise<CampaignRecord> {
    const campaign = await scope.of(Campaign).get(id);
    await assertStartable(scope, campaign);
    const cursor = await prepareForStart(scope, campaign);
    const started = await scope.withoutStatementLimit().transaction(async (tx) => {
      const locked = await tx.of(Campaign).lock(id);
      await assertStartable(tx, locked);
      await prepareForStart(tx, locked, cursor);
      await activateCampaign(tx, id);
      await this.events.publish(tx, 'campaign.started', { campaigns: sql`SELECT ${id}::bigint` });
      await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
      return campaignRecords(tx).get(id);
    });
    await scope.runAfterCommit(() => this.completion.completeIfDone(scope, [id]));
    return started;
  }

  /** Active → paused. Returns the updated campaign. @throws NotFound, NotActive */
  pause(scope: WorkspaceScope, id: number): Promise<CampaignRecord> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const paused = await pauseCampaign(tx, id);
      const campaign = await campaignRecords(tx).get(id);
      if (!paused) throw new NotActive();
      await this.events.publish(tx, 'campaign.paused', { campaigns: sql`SELECT ${id}::bigint` });
      return campaign;
    });
  }
}

async function assertStartable(scope: WorkspaceScope, { id, status }: Campaign): Promise<void> {
  if (status === 'active') throw new AlreadyActive();
  if ((await stepsInOrder(scope, id)).length === 0) throw new CampaignWithoutSteps();
  if (!(await hasUsableAccount(scope, id))) throw new CampaignWithoutAccount();
}

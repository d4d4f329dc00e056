import { Conflict, RuleViolated } from '../platform/errors/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Campaign } from './campaign/campaign.entity.js';
import { hasUsableAccount } from './campaigns.queries.js';
import { stepsInOrder } from './steps/steps.queries.js';

class AlreadyActive extends Conflict {
  override readonly reason = 'already_active';
  constructor() {
    super('The campaign is already active.');
  }
}

class CampaignWithoutSteps extends RuleViolated {
  override readonly reason = 'no_steps';
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

/** Why a campaign cannot start. */
export type StartRefusal = AlreadyActive | CampaignWithoutSteps | CampaignWithoutAccount;

/** Returns why a campaign cannot start, in the order in which a start refuses it; nothing if it can. */
export async function startRefusals(
  scope: WorkspaceScope,
  { id, status }: Pick<Campaign, 'id' | 'status'>,
): Promise<StartRefusal[]> {
  const refusals: StartRefusal[] = [];
  if (status === 'active') refusals.push(new AlreadyActive());
  if ((await stepsInOrder(scope, id)).length === 0) refusals.push(new CampaignWithoutSteps());
  if (!(await hasUsableAccount(scope, id))) refusals.push(new CampaignWithoutAccount());
  return refusals;
}

import { Conflict, defineReason, RuleViolated } from '@outreach/http-errors';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Campaign } from './campaign/campaign.entity.js';
import { hasUsableAccount } from './campaigns.queries.js';
import { stepsInOrder } from './steps/steps.queries.js';

const ALREADY_ACTIVE = defineReason('already_active', 409, 'The campaign is active already.');
const NO_STEPS = defineReason('no_steps', 422, 'The campaign has no step, so that it cannot start.');
const NO_ACCOUNT = defineReason(
  'no_account',
  422,
  'The campaign cannot start: none of its email accounts is active, or it has none.',
);

class AlreadyActive extends Conflict {
  constructor() {
    super(ALREADY_ACTIVE, 'The campaign is already active.');
  }
}

class CampaignWithoutSteps extends RuleViolated {
  constructor() {
    super(NO_STEPS, 'A campaign needs a step before it can start.');
  }
}

class CampaignWithoutAccount extends RuleViolated {
  constructor() {
    super(
      NO_ACCOUNT,
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

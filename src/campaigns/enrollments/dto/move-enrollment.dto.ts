import { IsId } from '@outreach/http-api/fields';
import { CheckedBy, type InputCheck, RefersTo } from '@outreach/http-api/validation';
import { Campaign } from '../../campaign/campaign.entity.js';
import { Step } from '../../steps/step.entity.js';

/** A step of another campaign is an error, like one that does not exist. */
const stepErrors: InputCheck<MoveEnrollmentDto> = async ({ step_id: id }, { context, pathOf }) => {
  const campaign = context.record(Campaign);
  if (id === undefined || !campaign) return {};
  const [step] = await context.scope.of(Step).find({ id });
  return step && step.campaign_id !== campaign.id ? { [pathOf('step_id')]: [STEP_OF_ANOTHER_CAMPAIGN] } : {};
};

const STEP_OF_ANOTHER_CAMPAIGN = 'The step belongs to another campaign.';

@CheckedBy(stepErrors)
export class MoveEnrollmentDto {
  /** The ID of a step of this campaign, before or after the current one. */
  @RefersTo(() => Step) @IsId() step_id!: number;
}

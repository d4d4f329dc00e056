import { ClearedTo, ListOf, Optional, Text } from '../../platform/http/index.js';
import { CreateStepDto } from '../steps/dto/create-step.dto.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

/** More steps are added one by one, should anybody want to write to people that often. */
const MOST_STEPS = 100;

export class CreateCampaignDto extends CampaignOptionsDto {
  @Text(255) name!: string;

  @ClearedTo([]) @Optional() @ListOf(() => CreateStepDto, { max: MOST_STEPS }) steps?: CreateStepDto[];
}

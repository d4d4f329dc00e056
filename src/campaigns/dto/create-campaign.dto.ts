import { NullResetsTo, ListOf, OptionalField, TextField } from '../../platform/http/index.js';
import { CreateStepDto } from '../steps/dto/create-step.dto.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

/** More steps are added one by one, should anybody want to write to people that often. */
const MAX_STEPS = 100;

export class CreateCampaignDto extends CampaignOptionsDto {
  @TextField(255) name!: string;

  @NullResetsTo([]) @OptionalField() @ListOf(() => CreateStepDto, { max: MAX_STEPS }) steps?: CreateStepDto[];
}

import { NullResetsTo, ListOf, OptionalField, NameField } from '@outreach/http-api/fields';
import { CreateStepDto } from '../steps/dto/create-step.dto.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

/** The limit of one request. More steps can be added one by one. */
const MAX_STEPS = 100;

export class CreateCampaignDto extends CampaignOptionsDto {
  @NameField(255) name!: string;

  /** The steps in the order of sending, at most 100. More can be added one by one. */
  @NullResetsTo([]) @OptionalField() @ListOf(() => CreateStepDto, { max: MAX_STEPS }) steps?: CreateStepDto[];
}

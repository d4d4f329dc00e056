import { ClearedTo, ListOf, Optional, Text } from '../../platform/http/index.js';
import { CreateStepDto } from '../steps/dto/create-step.dto.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

export class CreateCampaignDto extends CampaignOptionsDto {
  @Text(255) name!: string;

  @ClearedTo([]) @Optional() @ListOf(() => CreateStepDto) steps?: CreateStepDto[];
}

import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import { ClearedTo, Optional, Text } from '../../platform/http/index.js';
import { CreateStepDto } from '../steps/dto/create-step.dto.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

export class CreateCampaignDto extends CampaignOptionsDto {
  @Text(255) name!: string;

  @ClearedTo([])
  @Type(() => CreateStepDto)
  @Optional()
  @ValidateNested({ each: true })
  @IsArray()
  steps?: CreateStepDto[];
}

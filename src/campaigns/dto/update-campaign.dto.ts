import { Optional, Text } from '../../platform/http/index.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

export class UpdateCampaignDto extends CampaignOptionsDto {
  @Optional() @Text(255) name?: string;
}

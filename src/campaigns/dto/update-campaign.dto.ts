import { OptionalField, TextField } from '../../platform/http/index.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

export class UpdateCampaignDto extends CampaignOptionsDto {
  @OptionalField() @TextField(255) name?: string;
}

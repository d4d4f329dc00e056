import { OptionalField, NameField } from '../../platform/http/fields/index.js';
import { CampaignOptionsDto } from './campaign-options.dto.js';

export class UpdateCampaignDto extends CampaignOptionsDto {
  @OptionalField() @NameField(255) name?: string;
}

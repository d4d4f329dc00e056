import { OptionalField, NameField } from '@outreach/http-api/fields';
import { CampaignOptionsDto } from './campaign-options.dto.js';

export class UpdateCampaignDto extends CampaignOptionsDto {
  @OptionalField() @NameField(255) name?: string;
}

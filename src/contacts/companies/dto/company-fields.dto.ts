import { ClearableText } from '../../../platform/http/index.js';
import { IsDomain } from './is-domain.js';
import { IsWebsite } from './is-website.js';

/** What creating and changing a company have in common. */
export class CompanyFieldsDto {
  @ClearableText(253) @IsDomain() domain?: string | null;
  @ClearableText(500) @IsWebsite() website?: string | null;
  @ClearableText(255) industry?: string | null;
}

import { NullableTextField } from '../../../platform/http/fields/index.js';
import { IsDomain } from './is-domain.js';
import { IsWebsite } from './is-website.js';

/** The fields that create and update share. */
export class CompanyFieldsDto {
  @NullableTextField(253) @IsDomain() domain?: string | null;
  @NullableTextField(500) @IsWebsite() website?: string | null;
  @NullableTextField(255) industry?: string | null;
}

import { IsObject } from 'class-validator';
import { FreeMap, NullableField, IsId } from '../../platform/http/index.js';
import { PREVIEW_VARIABLES_SCHEMA, type PreviewVariables } from './preview-variables.js';

/** The contact or the variables to render a template with; without both, sample values are used. */
export class PreviewTemplateDto {
  @NullableField() @IsId() contact_id?: number | null;
  /** They take precedence over the fields of the contact. */
  @FreeMap()
  @NullableField()
  @IsObject({ context: { schema: PREVIEW_VARIABLES_SCHEMA } })
  variables?: PreviewVariables | null;
}

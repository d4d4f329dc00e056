import { IsObject } from 'class-validator';
import { FreeMap, NullableField, IsId } from '../../platform/http/index.js';
import { PREVIEW_VARIABLES_SCHEMA, type PreviewVariables } from './preview-variables.js';

/** Whom or what a template is filled in with; samples where both are absent. */
export class PreviewTemplateDto {
  @NullableField() @IsId() contact_id?: number | null;
  /** Over those of the contact. */
  @FreeMap()
  @NullableField()
  @IsObject({ context: { schema: PREVIEW_VARIABLES_SCHEMA } })
  variables?: PreviewVariables | null;
}

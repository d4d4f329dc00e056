import { IsObject } from 'class-validator';
import { Contact } from '../../contacts/index.js';
import { CheckedBy, FreeMap, NullableField, IsId, RefersTo } from '../../platform/http/index.js';
import { PREVIEW_VARIABLES_SCHEMA, type PreviewVariables, variableErrors } from './preview-variables.js';

/** The contact or the variables to render a template with; without both, sample values are used. */
@CheckedBy<PreviewTemplateDto>(({ variables }) => variableErrors(variables ?? {}))
export class PreviewTemplateDto {
  @NullableField() @RefersTo(() => Contact) @IsId() contact_id?: number | null;
  /** They take precedence over the fields of the contact. */
  @FreeMap()
  @NullableField()
  @IsObject({ context: { schema: PREVIEW_VARIABLES_SCHEMA } })
  variables?: PreviewVariables | null;
}

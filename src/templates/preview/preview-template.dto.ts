import { IsObject } from 'class-validator';
import { FreeMap, NullableField, IsId } from '@outreach/http-api/fields';
import { CheckedBy, RefersTo } from '@outreach/http-api/validation';
import { Contact } from '../../contacts/index.js';
import { PREVIEW_VARIABLES_SCHEMA, type PreviewVariables, variableErrors } from './preview-variables.js';

/** The contact or the variables to render a template with; without both, sample values are used. */
@CheckedBy<PreviewTemplateDto>(({ variables }) => variableErrors(variables ?? {}))
export class PreviewTemplateDto {
  /** The contact whose fields fill the variables. Without a contact and without variables, samples fill them. */
  @NullableField() @RefersTo(() => Contact) @IsId() contact_id?: number | null;
  /**
   * Values by the name of the variable, at most 500; they win over the fields of the contact. A value is a string, a
   * number or a boolean; `sender` can be an object with `name` and `email`.
   */
  @FreeMap()
  @NullableField()
  @IsObject({ context: { schema: PREVIEW_VARIABLES_SCHEMA } })
  variables?: PreviewVariables | null;
}

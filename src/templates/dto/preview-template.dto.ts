import { IsObject } from 'class-validator';
import { AsSent, Clearable, IsId } from '../../platform/http/index.js';
import { PREVIEW_VARIABLES_SCHEMA, type PreviewVariables } from '../preview/preview-variables.js';

/** Whom or what a template is filled in with; samples where both are absent. */
export class PreviewTemplateDto {
  @Clearable() @IsId() contact_id?: number | null;
  /** Over those of the contact. */
  @AsSent()
  @Clearable()
  @IsObject({ context: { schema: PREVIEW_VARIABLES_SCHEMA } })
  variables?: PreviewVariables | null;
}

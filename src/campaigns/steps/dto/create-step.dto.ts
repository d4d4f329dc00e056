import { IsNotEmpty, IsString, ValidateIf } from 'class-validator';
import { IsOneLine, TextField } from '@outreach/http-api/fields';
import { IsTemplateText } from '../../../templates/index.js';
import { StepOptionsDto } from './step-options.dto.js';

/** The field is required unless the step has a template, from which it is copied. */
const OrFromTemplate = (): PropertyDecorator =>
  ValidateIf((step: CreateStepDto, value: unknown) => value != null || step.template_id == null);

export class CreateStepDto extends StepOptionsDto {
  /**
   * The subject, with variables as in a template. At most 500 characters, in one line. Required without `template_id`.
   */
  @OrFromTemplate() @IsTemplateText() @IsOneLine() @TextField(500) subject?: string | null;

  /** The HTML, with variables as in a template. At most 256 KB. Required without `template_id`. */
  @OrFromTemplate() @IsTemplateText() @IsNotEmpty() @IsString() body?: string | null;
}

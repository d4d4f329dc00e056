import { IsNotEmpty, IsString, ValidateIf } from 'class-validator';
import { IsOneLine, TextField } from '../../../platform/http/index.js';
import { IsTemplateText } from '../../../templates/index.js';
import { StepOptionsDto } from './step-options.dto.js';

/** The field is required unless the step has a template, from which it is copied. */
const OrFromTemplate = (): PropertyDecorator =>
  ValidateIf((step: CreateStepDto, value: unknown) => value != null || step.template_id == null);

export class CreateStepDto extends StepOptionsDto {
  @OrFromTemplate() @IsTemplateText() @IsOneLine() @TextField(500) subject?: string | null;

  @OrFromTemplate() @IsTemplateText() @IsNotEmpty() @IsString() body?: string | null;
}

import { IsNotEmpty, IsString } from 'class-validator';
import { OptionalField, TextField } from '../../../platform/http/index.js';
import { IsTemplateText } from '../../../templates/index.js';
import { StepOptionsDto } from './step-options.dto.js';

export class UpdateStepDto extends StepOptionsDto {
  @OptionalField() @IsTemplateText() @TextField(500) subject?: string;

  @OptionalField() @IsTemplateText() @IsNotEmpty() @IsString() body?: string;
}

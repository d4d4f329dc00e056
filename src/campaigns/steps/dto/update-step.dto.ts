import { IsNotEmpty, IsString } from 'class-validator';
import { IsOneLine, OptionalField, TextField } from '@outreach/http-api/fields';
import { IsTemplateText } from '../../../templates/index.js';
import { StepOptionsDto } from './step-options.dto.js';

export class UpdateStepDto extends StepOptionsDto {
  @OptionalField() @IsTemplateText() @IsOneLine() @TextField(500) subject?: string;

  @OptionalField() @IsTemplateText() @IsNotEmpty() @IsString() body?: string;
}

import { IsNotEmpty, IsString } from 'class-validator';
import { Optional, Text } from '../../../platform/http/index.js';
import { IsTemplateText } from '../../../templates/index.js';
import { StepOptionsDto } from './step-options.dto.js';

export class UpdateStepDto extends StepOptionsDto {
  @Optional() @IsTemplateText() @Text(500) subject?: string;

  @Optional() @IsTemplateText() @IsNotEmpty() @IsString() body?: string;
}

import { IsNotEmpty, IsString } from 'class-validator';
import { Optional, Text } from '../../platform/http/index.js';
import { IsTemplateText } from '../is-template-text.js';
import { TemplateOptionsDto } from './template-options.dto.js';

export class UpdateTemplateDto extends TemplateOptionsDto {
  @Optional() @Text(255) name?: string;

  @Optional() @IsTemplateText() @Text(500) subject?: string;

  @Optional() @IsTemplateText() @IsNotEmpty() @IsString() body?: string;
}

import { IsNotEmpty, IsString } from 'class-validator';
import { Text } from '../../platform/http/index.js';
import { IsTemplateText } from '../is-template-text.js';
import { TemplateOptionsDto } from './template-options.dto.js';

export class CreateTemplateDto extends TemplateOptionsDto {
  @Text(255) name!: string;

  @IsTemplateText() @Text(500) subject!: string;

  /** As large as a request may be. */
  @IsTemplateText() @IsNotEmpty() @IsString() body!: string;
}

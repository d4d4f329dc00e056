import { IsNotEmpty, IsString } from 'class-validator';
import { TextField } from '../../platform/http/index.js';
import { IsTemplateText } from '../is-template-text.js';
import { TemplateOptionsDto } from './template-options.dto.js';

export class CreateTemplateDto extends TemplateOptionsDto {
  @TextField(255) name!: string;

  @IsTemplateText() @TextField(500) subject!: string;

  /** Limited only by the size of the request. */
  @IsTemplateText() @IsNotEmpty() @IsString() body!: string;
}

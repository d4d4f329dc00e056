import { IsNotEmpty, IsString } from 'class-validator';
import { IsOneLine, TextField, NameField } from '../../platform/http/fields/index.js';
import { IsTemplateText } from '../is-template-text.js';
import { TemplateOptionsDto } from './template-options.dto.js';

export class CreateTemplateDto extends TemplateOptionsDto {
  @NameField(255) name!: string;

  @IsTemplateText() @IsOneLine() @TextField(500) subject!: string;

  /** At most 256 KB, with at most 500 variables. */
  @IsTemplateText() @IsNotEmpty() @IsString() body!: string;
}

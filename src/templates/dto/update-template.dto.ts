import { IsNotEmpty, IsString } from 'class-validator';
import { IsOneLine, OptionalField, TextField, NameField } from '../../platform/http/fields/index.js';
import { IsTemplateText } from '../is-template-text.js';
import { TemplateOptionsDto } from './template-options.dto.js';

export class UpdateTemplateDto extends TemplateOptionsDto {
  @OptionalField() @NameField(255) name?: string;

  @OptionalField() @IsTemplateText() @IsOneLine() @TextField(500) subject?: string;

  @OptionalField() @IsTemplateText() @IsNotEmpty() @IsString() body?: string;
}

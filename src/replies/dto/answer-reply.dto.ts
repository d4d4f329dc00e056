import { IsNotEmpty, IsString } from 'class-validator';
import { IsLiteralHtml } from '../../templates/index.js';

export class AnswerReplyDto {
  /** The HTML of the answer. It is sent as it is: variables are not filled in. At most 256 KB. */
  @IsLiteralHtml() @IsNotEmpty() @IsString() body!: string;
}

import { NullableField, TextField } from '../../platform/http/index.js';

export class CopyTemplateDto {
  /** The name of the copy. Without one it is the name of the original. */
  @NullableField() @TextField(255) name?: string | null;
}

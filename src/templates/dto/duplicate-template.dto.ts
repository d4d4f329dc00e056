import { NullableField, TextField } from '../../platform/http/index.js';

export class DuplicateTemplateDto {
  /** The name of the copy; without it that of the original, marked as a copy. */
  @NullableField() @TextField(255) name?: string | null;
}

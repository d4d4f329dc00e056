import { NullableField, NameField } from '../../platform/http/fields/index.js';

export class DuplicateTemplateDto {
  /** The name of the copy. Without one it is the name of the original, followed by ` (Copy)`. */
  @NullableField() @NameField(255) name?: string | null;
}

import { NullableField, NameField } from '@outreach/http-api/fields';

export class CopyTemplateDto {
  /** The name of the copy. Without one it is the name of the original. */
  @NullableField() @NameField(255) name?: string | null;
}

import { Clearable, Text } from '../../platform/http/index.js';

export class DuplicateTemplateDto {
  /** The name of the copy; without it that of the original, marked as a copy. */
  @Clearable() @Text(255) name?: string | null;
}

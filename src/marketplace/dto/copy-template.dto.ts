import { Clearable, Text } from '../../platform/http/index.js';

export class CopyTemplateDto {
  /** The name of the copy; without it that of the original. */
  @Clearable() @Text(255) name?: string | null;
}

import { NullableTextField } from '../../platform/http/index.js';
import { MAX_POSTAL_ADDRESS_LENGTH } from '../workspace.entity.js';

export class UpdateSettingsDto {
  /** The template variable `sender_address`. It may have several lines. */
  @NullableTextField(MAX_POSTAL_ADDRESS_LENGTH) postal_address?: string | null;
}

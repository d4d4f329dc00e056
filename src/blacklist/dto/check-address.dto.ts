import { IsEmailAddress } from '../../platform/http/fields/index.js';

export class CheckAddressDto {
  /** The address, in upper or lower case. */
  @IsEmailAddress() email!: string;
}

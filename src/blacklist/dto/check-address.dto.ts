import { IsEmailAddress } from '../../platform/http/index.js';

export class CheckAddressDto {
  /** The address, in upper or lower case. */
  @IsEmailAddress() email!: string;
}

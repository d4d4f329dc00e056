import { IsEmailAddress } from '../../platform/http/index.js';

export class CheckAddressDto {
  @IsEmailAddress() email!: string;
}

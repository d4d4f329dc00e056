import { Transform } from 'class-transformer';
import { ArrayMinSize, ArrayUnique, IsArray, IsDate, IsIn } from 'class-validator';
import { NullableField, type Permission, TextField } from '../../platform/http/index.js';
import { PERMISSIONS } from '../permissions.js';

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const readInstant = (value: unknown): unknown =>
  typeof value === 'string' && ISO_INSTANT.test(value) ? new Date(value) : value;

export class CreateTokenDto {
  @TextField(255) name!: string;

  @IsIn(PERMISSIONS, { each: true }) @ArrayUnique() @ArrayMinSize(1) @IsArray() permissions!: Permission[];

  @Transform(({ value }: { value: unknown }) => readInstant(value))
  @NullableField()
  @IsDate({ message: 'expires_at must be an ISO 8601 instant' })
  expires_at?: Date | null;
}

import { Transform } from 'class-transformer';
import { IsBoolean, IsObject } from 'class-validator';
import { FreeMap, IdList, OptionalField } from '../../../platform/http/index.js';

/** Each is a membership for every row. */
const MAX_GROUPS = 100;

/** Forms carry text. What is no flag and no number stays one, and fails its rule. */
const flag = ({ value }: { value: unknown }): unknown =>
  value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value;

const ids = ({ value }: { value: unknown }): unknown => (Array.isArray(value) ? value.map(id) : value);

const id = (value: unknown): unknown => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value);

/** The fields of the form beside its file (API v1, "Import"). */
export class ImportContactsDto {
  /** Contact field, or `custom_fields.<key>`, → name of the column. */
  @FreeMap() @OptionalField() @IsObject() mapping?: Readonly<Record<string, unknown>>;
  @Transform(flag) @IsBoolean() skip_duplicates: boolean = true;
  /** IDs of lists that the contact of every good row goes into. */
  @Transform(ids) @IdList(MAX_GROUPS) lists: number[] = [];
  /** IDs of tags that the contact of every good row gets. */
  @Transform(ids) @IdList(MAX_GROUPS) tags: number[] = [];
}

import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsObject } from 'class-validator';
import { IdList, OptionalField } from '@outreach/http-api/fields';
import { CheckedBy, RefersTo } from '@outreach/http-api/validation';
import { List } from '../../lists/list.entity.js';
import { Tag } from '../../tags/tag.entity.js';
import { fileErrors } from '../file-errors.js';
import type { ImportOptions } from '../import-options.js';

/** Limit of lists, and of tags: each one adds a membership for every row. */
const MAX_GROUPS = 100;

/** What a file can say of all its contacts. */
const OUT_STATUSES = ['unsubscribed', 'bounced', 'complained'] as const;

const MAPPING_SCHEMA = { type: 'object', additionalProperties: { type: 'string' } };

/** Form fields are strings. A string that is not a flag or a number stays a string, and validation refuses it. */
const flag = ({ value }: { value: unknown }): unknown =>
  value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value;

const ids = ({ value }: { value: unknown }): unknown => (Array.isArray(value) ? value.map(id) : value);

const id = (value: unknown): unknown => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value);

/**
 * Reads a JSON object in one form field. Other text stays a string, which validation refuses. The value itself is used, not
 * the copy of class-transformer, which drops keys that are names of an object's methods.
 */
function mapOrJson({ obj, key }: { obj: Readonly<Record<string, unknown>>; key: string }): unknown {
  const value = obj[key];
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The form fields besides the file (API v1, "Import"). */
@CheckedBy(fileErrors)
export class ImportContactsDto implements ImportOptions {
  /**
   * The name of the column for each field: `mapping[email]=E-mail`, `mapping[custom_fields.employees]=Staff`, or one form
   * field `mapping` with a JSON object. Possible are all fields that a contact can be created with, and
   * `custom_fields.<key>`. Without a mapping, columns are used whose name is that of a field. A column that has exactly the
   * name is used first, else one whose name differs only in case, spaces, hyphens and underscores: `E-mail` and `EMAIL` are
   * found as `email`, `First name` as `first_name`. Without a mapping, a column such as `Unsubscribed`, `Email Opt Out` or
   * `Do not contact` is used as `status`: `TRUE` or `yes` makes the contact `unsubscribed`.
   */
  @Transform(mapOrJson) @OptionalField() @IsObject({ context: { schema: MAPPING_SCHEMA } }) mapping?: Readonly<
    Record<string, unknown>
  >;
  /**
   * Whether rows of contacts that exist are left out. With `false`, their cells that are not empty change the contact.
   */
  @Transform(flag) @IsBoolean() skip_duplicates: boolean = true;
  /**
   * The status of the contacts of all rows whose own is empty, for a file of people who have opted out in another system:
   * `unsubscribed`, `bounced` or `complained`.
   */
  @OptionalField() @IsIn(OUT_STATUSES) status?: (typeof OUT_STATUSES)[number];
  /** The IDs of at most 100 lists that the contact of every valid row joins, also of those that are left out. */
  @Transform(ids) @RefersTo(() => List) @IdList(MAX_GROUPS) lists: number[] = [];
  /** The IDs of at most 100 tags that the contact of every valid row gets, also of those that are left out. */
  @Transform(ids) @RefersTo(() => Tag) @IdList(MAX_GROUPS) tags: number[] = [];
  /** Whether the file is only checked: the response is that of the import, and nothing is stored. */
  @Transform(flag) @IsBoolean() dry_run: boolean = false;
}

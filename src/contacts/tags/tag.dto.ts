import { customRule, NameField, NullableTextField, OptionalField } from '@outreach/http-api/fields';
import { ListQuery } from '../../platform/tenancy/index.js';

const COLOR = /^#[0-9a-f]{6}$/i;

/** A colour as `#rrggbb`. */
const IsColor = (): PropertyDecorator =>
  customRule('isColor', [], {
    validate: (value) => typeof value === 'string' && COLOR.test(value),
    message: (field) => `${field} must be a colour such as #1e90ff`,
    schema: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' },
  });

export class CreateTagDto {
  @NameField(255) name!: string;
  @NullableTextField(7) @IsColor() color?: string | null;
}

export class UpdateTagDto {
  @OptionalField() @NameField(255) name?: string;
  @NullableTextField(7) @IsColor() color?: string | null;
}

export class TagListQuery extends ListQuery({ sort: ['created_at', 'updated_at', 'name'], search: ['name'] }) {}

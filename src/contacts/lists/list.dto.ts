import { NameField, NullableTextField, OptionalField } from '@outreach/http-api/fields';
import { ListQuery } from '../../platform/tenancy/index.js';

export class CreateListDto {
  @NameField(255) name!: string;
  @NullableTextField(1000) description?: string | null;
}

export class UpdateListDto {
  @OptionalField() @NameField(255) name?: string;
  @NullableTextField(1000) description?: string | null;
}

export class ListListQuery extends ListQuery({ sort: ['created_at', 'updated_at', 'name'], search: ['name'] }) {}

import { normalizeHost } from '@outreach/egress';
import { customRule, NameField, NullableTextField, OptionalField } from '@outreach/http-api/fields';
import { ListQuery } from '../../platform/tenancy/index.js';

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/;
const HTTP = /^https?:\/\/[^\s/?#]\S*$/i;

/** Accepts a host name with a dot, in any script. Refuses IP addresses, ports and URLs. */
const IsDomain = (): PropertyDecorator =>
  customRule('isDomain', [], {
    validate: (value) => typeof value === 'string' && DOMAIN.test(normalizeHost(value) ?? ''),
    message: (field) => `${field} must be a host name such as example.com`,
    schema: { type: 'string', format: 'idn-hostname' },
  });

/** Accepts an absolute http or https URL. */
const IsWebsite = (): PropertyDecorator =>
  customRule('isWebsite', [], {
    validate: (value) => typeof value === 'string' && HTTP.test(value) && URL.canParse(value),
    message: (field) => `${field} must be a URL that begins with http:// or https://`,
    schema: { type: 'string', format: 'uri' },
  });

/** The fields that create and update share. */
export class CompanyFieldsDto {
  @NullableTextField(253) @IsDomain() domain?: string | null;
  @NullableTextField(500) @IsWebsite() website?: string | null;
  @NullableTextField(255) industry?: string | null;
}

export class CreateCompanyDto extends CompanyFieldsDto {
  @NameField(255) name!: string;
}

export class UpdateCompanyDto extends CompanyFieldsDto {
  @OptionalField() @NameField(255) name?: string;
}

export class CompanyListQuery extends ListQuery({ sort: ['created_at', 'updated_at', 'name'], search: ['name'] }) {}

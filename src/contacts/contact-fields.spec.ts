import { getMetadataStorage } from 'class-validator';
import { getMetadataArgsStorage } from 'typeorm';
import { WorkspaceEntity } from '../platform/tenancy/index.js';
import {
  CONTACT_FIELD_NAMES,
  contactField,
  type ContactField,
  EXPORT_FIELDS,
  IDENTIFYING_FIELDS,
  NAME_FIELDS,
  IMPORT_FIELDS,
  SEARCHABLE_FIELDS,
} from './contact-fields.js';
import { contactVariables, SAMPLE_CONTACT } from './contact-variables.js';
import { Contact } from './contact.entity.js';
import { EXAMPLE_CONTACT } from './contact.example.js';
import { contactView } from './contact.view.js';
import { CreateContactDto } from './dto/create-contact.dto.js';
import { UpdateContactDto } from './dto/update-contact.dto.js';

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const columnFields = CONTACT_FIELD_NAMES.filter((name) => contactField(name).type !== 'derived');

describe('the entity Contact', () => {
  const columns = getMetadataArgsStorage().columns.filter(
    ({ target }) => target === Contact || target === WorkspaceEntity,
  );
  const typeOf = (name: string) => columns.find(({ propertyName }) => propertyName === name)?.options.type;

  it('has a column for each declared field that is not derived, and no others', () => {
    const undeclared = ['workspace_id', 'custom_fields', 'search_text', 'created_source'];
    expect(sorted(columns.map(({ propertyName }) => propertyName))).toEqual(sorted([...columnFields, ...undeclared]));
  });

  it.each(columnFields)('has the declared type in the column %s', (name) => {
    const types: Partial<Record<ContactField['type'], string>> = {
      id: 'bigint',
      reference: 'bigint',
      text: 'text',
      enum: 'text',
      timestamp: 'timestamptz',
    };
    expect(typeOf(name)).toBe(types[contactField(name).type]);
  });

  it('builds search_text of the searchable columns', () => {
    const expression = columns.find(({ propertyName }) => propertyName === 'search_text')?.options.asExpression ?? '';
    const mentioned = columnFields.filter((name) => new RegExp(`\\b${name}\\b`).test(expression));
    expect(sorted(mentioned)).toEqual(sorted(SEARCHABLE_FIELDS.filter((name) => name !== 'full_name')));
  });
});

describe.each([CreateContactDto, UpdateContactDto])('%p', (dto) => {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);

  it('accepts the importable fields, custom fields, tags and lists, and no others', () => {
    const accepted = rules.map(({ propertyName }) => propertyName);
    expect(sorted(accepted)).toEqual(sorted([...IMPORT_FIELDS, 'custom_fields', 'tags', 'lists']));
  });

  it.each(IMPORT_FIELDS)('limits %s to the declared length or values', (name) => {
    const limit = (rule: string) =>
      rules.find(({ propertyName, name: found }) => propertyName === name && found === rule)?.constraints?.[0];
    const { maxLength, values } = contactField(name);
    expect(name === 'email' ? 254 : limit('maxLength')).toBe(maxLength);
    expect(limit('isIn')).toEqual(values);
  });
});

describe('contactView', () => {
  const names = sorted([...CONTACT_FIELD_NAMES, 'custom_fields', 'tags', 'lists']);

  it('has all declared fields in its schema', () => {
    expect(sorted(Object.keys(contactView.shape))).toEqual(sorted([...names, ...contactView.optionalFields]));
  });

  it('shows all declared fields, which the example contact has', () => {
    const shown = contactView.toJson(EXAMPLE_CONTACT);
    expect(sorted(Object.keys(shown))).toEqual(names);
    for (const value of Object.values(shown)) expect(value).toBeDefined();
  });
});

it('the declared samples are the template variables of the sample contact', () => {
  const samples = Object.fromEntries(CONTACT_FIELD_NAMES.map((name) => [name, contactField(name).sample]));
  expect(contactVariables(SAMPLE_CONTACT)).toEqual(samples);
});

it('the export has a column for each field but the ID and derived ones', () => {
  expect(sorted(EXPORT_FIELDS)).toEqual(sorted(columnFields.filter((name) => name !== 'id')));
});

it('an erasure looks for the fields that identify the person', () => {
  expect(sorted(IDENTIFYING_FIELDS)).toEqual(['email', 'external_id', 'full_name', 'linkedin_url', 'phone']);
  expect(sorted(NAME_FIELDS)).toEqual(['first_name', 'last_name']);
});

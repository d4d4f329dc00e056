import { IsIn } from 'class-validator';
import { ignoreFields, IsEmailAddress, OptionalField, RecordList } from '@outreach/http-api/fields';
import { contactView } from '../../contact.view.js';
import { ContactFieldsDto } from '../../dto/contact-fields.dto.js';
import type { ContactKey } from '../../contact-keys.js';

/** The limit of contacts in one request. */
const MAX_CONTACTS = 1_000;

/** The fields by which contacts are matched. */
export const MATCHES = [
  /** Contacts with the same address are the same, in upper or lower case. */
  'email',
  /** Contacts with the same ID in another system are the same. A new contact needs an `email`, too. */
  'external_id',
] as const satisfies readonly ContactKey['field'][];

/** What happens to a contact that exists. */
export const ON_MATCH = [
  /** It gets the fields that its record names, as in `PUT /v1/contacts/{id}`. */
  'update',
  /** It stays as it is. */
  'skip',
] as const;

/** One contact of a bulk upsert. */
export class ContactInputDto extends ContactFieldsDto {
  /** The address, at most 254 characters. It is stored in lower case. */
  @OptionalField() @IsEmailAddress() email?: string;
}
ignoreFields(ContactInputDto, contactView.shape);

export class BulkUpsertDto {
  /** 1 to 1,000 contacts. One that is invalid fails alone. */
  @RecordList(() => ContactInputDto, MAX_CONTACTS) contacts!: readonly unknown[];
  /** The field by which contacts are matched; each record needs it. */
  @OptionalField() @IsIn(MATCHES) match: ContactKey['field'] = 'email';
  /** What happens to a contact that exists. */
  @OptionalField() @IsIn(ON_MATCH) on_match: (typeof ON_MATCH)[number] = 'update';
}

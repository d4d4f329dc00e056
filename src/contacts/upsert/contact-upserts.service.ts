import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '@outreach/http-errors';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { EmailTaken, ExternalIdTaken } from '../contact.entity.js';
import type { WrittenContact } from '../contact.view.js';
import { ContactsService } from '../contacts.service.js';
import type { CreateContactDto } from '../dto/create-contact.dto.js';
import type { UpdateContactDto } from '../dto/update-contact.dto.js';
import { EMAIL_REQUIRED } from '../dto/upsert-contact.dto.js';
import type { ContactKey } from '../contact-keys.js';
import { lockContactByKey } from './contact-upserts.queries.js';

/** How often a contact is looked for that another request creates or deletes at the same time. */
const MAX_ATTEMPTS = 3;

export type UpsertedContact = WrittenContact & { readonly is_created: boolean };

/** Creates contacts, or updates them if they exist, by a key that the client knows. */
@Injectable()
export class ContactUpserts {
  constructor(private readonly contacts: ContactsService) {}

  /**
   * Updates the contact with this key as `ContactsService.update` does, or creates it. If other requests create it at the
   * same time, one creates it and the others update it.
   * @throws ValidationFailed; Conflict if another contact has the email or the external ID of the input; LimitReached
   */
  async upsert(scope: WorkspaceScope, key: ContactKey, dto: UpdateContactDto): Promise<UpsertedContact> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await scope.transaction((tx) => this.updateOrCreate(tx, key, dto));
      } catch (error) {
        const isTaken = error instanceof EmailTaken || error instanceof ExternalIdTaken;
        if (!isTaken || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async updateOrCreate(tx: WorkspaceScope, key: ContactKey, dto: UpdateContactDto): Promise<UpsertedContact> {
    const id = await lockContactByKey(tx, key);
    if (id !== undefined) return { ...(await this.contacts.update(tx, { id }, dto)), is_created: false };
    return { ...(await this.contacts.create(tx, newContact(key, dto))), is_created: true };
  }
}

/** The input of a new contact has its key, unless it names another value for the same field. */
function newContact({ field, value }: ContactKey, dto: UpdateContactDto): CreateContactDto {
  const email = dto.email ?? (field === 'email' ? value : undefined);
  if (email === undefined) throw new ValidationFailed({ email: [EMAIL_REQUIRED] });
  const isComplete = field !== 'external_id' || dto.external_id !== undefined;
  return { ...dto, email, ...(isComplete ? {} : { external_id: value }) };
}

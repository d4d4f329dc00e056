import { Injectable } from '@nestjs/common';
import { type FieldErrors, RuleViolated } from '../../platform/errors/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CustomFieldValue } from '../contact.entity.js';
import { contactsEvent } from '../contact.events.js';
import { fitsType, typeOfValue } from './custom-field-values.js';
import { CustomField, type CustomFieldType } from './custom-field.entity.js';
import {
  countFields,
  eraseAll,
  eraseChunk,
  insertFields,
  lockDefinitions,
  lockTypes,
  MAX_FIELDS,
} from './custom-fields.queries.js';
import type { CreateCustomFieldDto } from './dto/create-custom-field.dto.js';
import type { UpdateCustomFieldDto } from './dto/update-custom-field.dto.js';

const TOO_MANY = `A workspace has at most ${MAX_FIELDS} custom fields.`;

export class TooManyCustomFields extends RuleViolated {
  constructor() {
    super(TOO_MANY);
  }
}

/** What is wrong with a value in a field of this type; a key without a type is one that there was no room for. */
export function customValueError(value: CustomFieldValue, type: CustomFieldType | undefined): string | undefined {
  if (!type) return TOO_MANY;
  return fitsType(value, type) ? undefined : `The value must be of the type ${type}.`;
}

@Injectable()
export class CustomFields {
  constructor(private readonly events: DomainEvents) {}

  /** @throws Conflict when the key is taken, TooManyCustomFields */
  create(scope: WorkspaceScope, { key, label, type }: CreateCustomFieldDto): Promise<CustomField> {
    return scope.transaction(async (tx) => {
      await lockDefinitions(tx);
      const field = await tx.of(CustomField).insert({ key, label: label ?? key, type });
      if ((await countFields(tx)) > MAX_FIELDS) throw new TooManyCustomFields();
      return field;
    });
  }

  update(scope: WorkspaceScope, field: CustomField, { label }: UpdateCustomFieldDto): Promise<CustomField> {
    return scope.of(CustomField).update(field.id, { label: label === null ? field.key : label });
  }

  /**
   * Removes the field and its values. The values go first, in short transactions: one over a million contacts would
   * keep everybody else from changing them for a minute. The field goes with the last values, so until then it
   * can be deleted once more.
   * @throws NotFound
   */
  async delete(scope: WorkspaceScope, id: number): Promise<void> {
    const { key } = await scope.of(CustomField).get(id);
    let after: number | null = 0;
    while (after !== null) after = await this.eraseNext(scope, key, after);
    await scope.transaction(async (tx) => {
      await tx.of(CustomField).lock(id);
      await this.publishUpdated(tx, await eraseAll(tx, key));
      await tx.of(CustomField).delete(id);
    });
  }

  /**
   * Makes fields of the keys that are none yet, with the type of their value, and compares the others with theirs.
   * @returns what does not fit: `custom_fields.<key>` → messages
   */
  async defineAndValidate(tx: WorkspaceScope, values: ReadonlyMap<string, CustomFieldValue>): Promise<FieldErrors> {
    const types = await this.define(tx, new Map([...values].map(([key, value]) => [key, typeOfValue(value)])));
    const errors = [...values].flatMap(([key, value]) => {
      const error = customValueError(value, types.get(key));
      return error ? [[`custom_fields.${key}`, [error]] as const] : [];
    });
    return Object.fromEntries(errors);
  }

  /**
   * Makes fields of the keys that are none yet. Inside a transaction: the fields cannot be deleted before it ends.
   * @param wanted key → the type that it gets unless it is a field already
   * @returns key → its type; keys that the workspace has no more room for are missing
   */
  async define(
    tx: WorkspaceScope,
    wanted: ReadonlyMap<string, CustomFieldType>,
  ): Promise<ReadonlyMap<string, CustomFieldType>> {
    if (wanted.size === 0) return wanted;
    const known = await lockTypes(tx, [...wanted.keys()]);
    const missing = new Map([...wanted].filter(([key]) => !known.has(key)));
    if (missing.size === 0) return known;
    await lockDefinitions(tx);
    await insertFields(tx, missing);
    return lockTypes(tx, [...wanted.keys()]);
  }

  private eraseNext(scope: WorkspaceScope, key: string, after: number): Promise<number | null> {
    return scope.transaction(async (tx) => {
      const { last, contacts } = await eraseChunk(tx, key, after);
      await this.publishUpdated(tx, contacts);
      return last;
    });
  }

  private async publishUpdated(tx: WorkspaceScope, contacts: readonly number[]): Promise<void> {
    if (contacts.length > 0) await this.events.publish(tx, 'contact.updated', contactsEvent(contacts));
  }
}

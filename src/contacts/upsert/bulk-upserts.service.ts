import { Injectable } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import { Busy } from '../../platform/errors/index.js';
import { type FieldErrors, limitErrors, MAX_ERRORS } from '@outreach/http-errors';
import { type ReadInput, readRecord, referenceErrors } from '@outreach/http-api/validation';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { EmailTaken, ExternalIdTaken } from '../contact.entity.js';
import { isCustomFieldKey } from '../custom-fields/custom-field-values.js';
import { countFields, lockDefinitions, lockTypes } from '../custom-fields/custom-fields.queries.js';
import type { BulkUpserted, UpsertResult } from './bulk-upsert.view.js';
import { lockMatching } from './bulk-upserts.queries.js';
import { ContactInputDto, type BulkUpsertDto } from './dto/bulk-upsert.dto.js';
import { TakenMeanwhile, UpsertWriter } from './upsert-writer.js';
import { type PlannedRecord, type PlannedWorkspace, UpsertPlan } from './upsert-plan.js';

/** How often the work is begun again because other requests have created contacts with the same keys. */
const MAX_ATTEMPTS = 5;

/** How many fields the errors of all records name. */
const MAX_ERRORS_IN_ALL = 1_000;

type ReadContact = ReadInput<ContactInputDto>;

/** What became of the records, and the keys of the custom fields that are new. */
interface Done {
  readonly planned: readonly PlannedRecord[];
  readonly added: readonly string[];
}

/** Creates and updates many contacts, in a few statements of one transaction. */
@Injectable()
export class BulkUpserts {
  constructor(
    private readonly writer: UpsertWriter,
    private readonly steps: BackgroundSteps,
  ) {}

  /**
   * Creates or updates the contacts, as if their records came one after the other. Records with errors change nothing.
   * @throws LimitReached, Busy; then nothing is changed
   */
  async upsert(scope: WorkspaceScope, { contacts, ...options }: BulkUpsertDto): Promise<BulkUpserted> {
    const records: ReadContact[] = [];
    const read = this.steps.map(scope.workspace_id, contacts, (raw) => readRecord(ContactInputDto, raw));
    for await (const some of read) records.push(...some);
    const missing = await referenceErrors(
      scope,
      ContactInputDto,
      records.map(({ value }) => value),
    );
    const checked = records.map(({ value, errors }, index) => ({ value, errors: { ...missing[index], ...errors } }));
    const { planned, added } = await this.attempt(scope, checked, options);
    return { results: resultsOf(planned), ...(added.length === 0 ? {} : { new_custom_fields: added }) };
  }

  private async attempt(
    scope: WorkspaceScope,
    records: readonly ReadContact[],
    options: Omit<BulkUpsertDto, 'contacts'>,
  ): Promise<Done> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      try {
        return await scope.transaction((tx) => this.run(tx, records, options));
      } catch (error) {
        const isTaken = [TakenMeanwhile, EmailTaken, ExternalIdTaken].some((type) => error instanceof type);
        if (!isTaken) throw error;
      }
    }
    throw new Busy();
  }

  private async run(
    tx: WorkspaceScope,
    records: readonly ReadContact[],
    options: Omit<BulkUpsertDto, 'contacts'>,
  ): Promise<Done> {
    const valid = records.filter(({ errors }) => Object.keys(errors).length === 0).map(({ value }) => value);
    const plan = new UpsertPlan(await lockWorkspace(tx, valid), options);
    const planned: PlannedRecord[] = [];
    for (const { value, errors } of records) {
      if (Object.keys(errors).length > 0) planned.push({ status: 'failed', errors });
      else {
        if (plan.needsEarlierChanges(value)) await this.writer.write(tx, plan);
        planned.push(plan.add(value));
      }
    }
    await this.writer.write(tx, plan);
    return { planned, added: [...plan.added.keys()] };
  }
}

/** Reads and locks what the records refer to: first the custom fields, as all other writers do, then the contacts. */
async function lockWorkspace(tx: WorkspaceScope, records: readonly ContactInputDto[]): Promise<PlannedWorkspace> {
  const named = records.flatMap(({ custom_fields: fields }) => Object.keys(fields ?? {}));
  const keys = [...new Set(named)].filter(isCustomFieldKey);
  let types = keys.length === 0 ? new Map<string, never>() : await lockTypes(tx, keys);
  let fields = 0;
  if (types.size < keys.length) {
    await lockDefinitions(tx);
    types = await lockTypes(tx, keys);
    fields = await countFields(tx);
  }
  const emails = records.flatMap(({ email }) => (email === undefined ? [] : [email]));
  const externalIds = records.flatMap(({ external_id: id }) => (id == null ? [] : [id]));
  return { stored: await lockMatching(tx, emails, externalIds), types, fields, now: tx.clock.now() };
}

/** The results, with at least one named field for each record that failed, as long as there are not too many in all. */
function resultsOf(planned: readonly PlannedRecord[]): UpsertResult[] {
  let remaining = MAX_ERRORS_IN_ALL;
  return planned.map(({ status, contact, errors }, index) => {
    if (!errors) return { index, id: contact?.id ?? null, status, errors: null };
    const limited: FieldErrors = limitErrors(errors, Math.min(MAX_ERRORS, Math.max(1, remaining)));
    remaining -= Object.keys(limited).length;
    return { index, id: null, status, errors: limited };
  });
}

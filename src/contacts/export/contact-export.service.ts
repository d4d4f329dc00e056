import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { BackgroundSteps, FairQueue, WorkspaceActivity } from '../../platform/concurrency/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ContactRecord } from '../contact.view.js';
import { contactRecords } from '../contacts.queries.js';
import { CustomField } from '../custom-fields/custom-field.entity.js';
import type { ContactListQuery } from '../dto/contact-list.query.js';
import { cellsOf, headerOf } from './export-row.js';

/**
 * Contacts read by one statement. The main thread parses their rows at a stretch, and one contact may have 64 KB.
 */
const BATCH = 100;

/** Contacts whose IDs are read by one statement, which may test the filters on all contacts and sort them. */
const ID_BATCH = 10_000;

/** How many exports of a workspace may be open in this process. Each has a batch or two in memory. */
const MAX_EXPORTS_PER_WORKSPACE = 3;

/** Exports contacts as a CSV file that the import accepts (API v1, "Contacts"). */
@Injectable()
export class ContactExport {
  private readonly reads: BackgroundSteps;
  private readonly exports = new FairQueue({
    concurrency: Number.POSITIVE_INFINITY,
    perKey: MAX_EXPORTS_PER_WORKSPACE,
    waitingPerKey: 0,
  });

  constructor(
    private readonly steps: BackgroundSteps,
    activity: WorkspaceActivity,
  ) {
    this.reads = new BackgroundSteps(activity);
  }

  /**
   * A CSV of all contacts that the list would show, in the same order. Reads only as fast as the client downloads; no
   * database connection is in use while it waits for the client.
   * @throws Busy if the workspace has too many open exports
   */
  async open(scope: WorkspaceScope, query: ContactListQuery): Promise<StreamableFile> {
    const fields = await scope.of(CustomField).find({});
    const keys = fields.map(({ key }) => key).sort();
    const release = await this.exports.acquire(scope.workspace_id);
    const stream = Readable.from(this.csvOf(scope, query, keys)).once('close', release);
    return new StreamableFile(stream, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="contacts.csv"',
    });
  }

  private async *csvOf(
    scope: WorkspaceScope,
    query: ContactListQuery,
    keys: readonly string[],
  ): AsyncGenerator<string> {
    yield write([headerOf(keys)]);
    const toCells = (contact: ContactRecord): string[] => cellsOf(contact, keys);
    for await (const contacts of this.contactsOf(scope, query)) {
      for await (const rows of this.steps.map(scope.workspace_id, contacts, toCells)) yield write(rows);
    }
  }

  /** A contact that no longer meets the filters when it is read is left out. */
  private async *contactsOf(scope: WorkspaceScope, query: ContactListQuery): AsyncGenerator<ContactRecord[]> {
    const records = contactRecords(scope);
    for await (const ids of records.idBatches(query, ID_BATCH)) {
      for (let start = 0; start < ids.length; start += BATCH) {
        const batch = ids.slice(start, start + BATCH);
        yield await this.reads.run(scope.workspace_id, () => records.findListed(query, batch));
      }
    }
  }
}

/** Quotes cells with a lone carriage return, because many CSV readers, ours too, take it for the end of a record. */
const write = (rows: readonly string[][]): string => stringify([...rows], { quoted_match: /\r/ });

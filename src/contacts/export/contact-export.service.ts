import { Injectable, type StreamableFile } from '@nestjs/common';
import { CsvExports } from '../../platform/csv/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ContactRecord } from '../contact.view.js';
import { contactRecords } from '../contacts.queries.js';
import { customFieldKeys } from '../custom-fields/custom-fields.queries.js';
import { type ContactExportQuery, requestedColumns } from './contact-export.query.js';
import { cellReader, defaultColumns } from './export-row.js';

/** Exports contacts as a CSV file that the import accepts (API v1, "Contacts"). */
@Injectable()
export class ContactExport {
  constructor(private readonly exports: CsvExports) {}

  /**
   * A CSV of all contacts that the list would show, in the same order.
   * @throws Busy if the workspace has too many open exports
   */
  async open(scope: WorkspaceScope, query: ContactExportQuery): Promise<StreamableFile> {
    const requested = requestedColumns(query.columns);
    const columns = requested.length > 0 ? requested : defaultColumns(await customFieldKeys(scope));
    const readers = columns.map(cellReader);
    const list = { records: contactRecords(scope), query };
    return this.exports.openList(scope, list, {
      fileName: 'contacts.csv',
      header: columns,
      toCells: (contact: ContactRecord) => readers.map((read) => read(contact)),
      bom: query.bom ?? false,
    });
  }
}

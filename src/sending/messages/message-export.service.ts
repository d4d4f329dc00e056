import { Injectable, type StreamableFile } from '@nestjs/common';
import { csvCell } from '@outreach/csv-text';
import type { Campaign } from '../../campaigns/index.js';
import { CsvExports } from '../../platform/csv/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { MessageExportQuery } from './message-export.query.js';
import { exportedMessages, type ExportedMessage, messagesOf } from './message-records.queries.js';
import { messageView } from './message.view.js';

/** The columns of the file: who, what, and what became of it; IDs last. */
const COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'subject',
  'status',
  'reason',
  'sent_at',
  'opened_at',
  'clicked_at',
  'replied_at',
  'bounced_at',
  'created_at',
  'attempts',
  'id',
  'campaign_id',
  'step_id',
  'variant_id',
  'contact_id',
  'enrollment_id',
  'email_account_id',
  'message_id',
  'bot_opens',
  'bot_clicks',
  'bot_reason',
] as const;

/** Exports the messages of a campaign as CSV. */
@Injectable()
export class MessageExport {
  constructor(private readonly exports: CsvExports) {}

  /**
   * A CSV of all messages that the list would show, in the same order, with the names of their contacts.
   * @throws Busy if the workspace has too many open exports
   */
  open(scope: WorkspaceScope, campaign: Campaign, query: MessageExportQuery): Promise<StreamableFile> {
    const list = { records: exportedMessages(scope), query, within: messagesOf(scope, campaign.id, query) };
    return this.exports.openList(scope, list, {
      fileName: `campaign-${campaign.id}-messages.csv`,
      header: COLUMNS,
      toCells: cellsOf,
      bom: query.bom ?? false,
    });
  }
}

function cellsOf(message: ExportedMessage): string[] {
  const { first_name, last_name } = message;
  const shown: Readonly<Record<string, unknown>> = { ...messageView.toJson(message), first_name, last_name };
  return COLUMNS.map((column) => csvCell(shown[column]));
}

import type { Response } from 'express';
import type { ApiRequest } from '../requests/index.js';
import type { RecordPage } from '../responses/index.js';
import type { JsonParts } from './json-parts.js';

/** The rows of a list, and what is beside them in the body. */
export interface RowsToEncode {
  readonly rows: readonly unknown[];
  readonly toJson: (row: unknown) => unknown;
  readonly beside: object;
}

/** What the envelope of a response needs of the service. */
export abstract class EnvelopeContext {
  /** The URL of the service, without the version of the API. */
  abstract readonly publicUrl: string;

  /** Returns the cursor of the page that follows; null if none does. */
  abstract nextCursor(page: RecordPage<unknown>, request: ApiRequest): string | null;

  /** Encodes the rows of a `@LargeResponse`: `{ data: rows, …beside }`. */
  abstract encodeRows(rows: RowsToEncode, request: ApiRequest, response: Response): Promise<JsonParts>;
}

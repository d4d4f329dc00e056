import type { Response } from 'express';
import { type BackgroundSteps, convertSome } from '@outreach/concurrency';

/** A smaller body is written at once. */
const MAX_WHOLE_BYTES = 65_536;

/** An encoded JSON body in parts. */
export class JsonParts {
  constructor(readonly parts: readonly Buffer[]) {}

  /** Writes the parts one after the other, so that they are not copied into one. */
  write(response: Response): void {
    const length = this.parts.reduce((sum, part) => sum + part.length, 0);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', length);
    if (length <= MAX_WHOLE_BYTES) return void response.end(Buffer.concat(this.parts));
    for (const part of this.parts) response.write(part);
    response.end();
  }
}

/** The rows of a list, and what is beside them in the body. */
export interface RowsToEncode {
  readonly rows: readonly unknown[];
  readonly toJson: (row: unknown) => unknown;
  readonly beside: object;
}

/**
 * Encodes `{ data: rows, …beside }`. What takes longer than two milliseconds is encoded in the background, in turns with
 * other workspaces. A client that has gone gets a part of it.
 */
export async function encodeRows(
  { rows, toJson, beside }: RowsToEncode,
  steps: BackgroundSteps,
  workspaceId: number,
  response: Response,
): Promise<JsonParts> {
  const encode = (row: unknown): string => JSON.stringify(toJson(row));
  const besideJson = JSON.stringify(beside).slice(1);
  const end = besideJson === '}' ? ']}' : `],${besideJson}`;
  const first = convertSome(rows.values(), encode);
  const parts: Buffer[] = [Buffer.from(`{"data":[${first.join(',')}`)];
  if (first.length < rows.length) {
    const encodeNext = (row: unknown): Buffer => Buffer.from(`,${encode(row)}`);
    for await (const some of steps.map(workspaceId, rows.slice(first.length), encodeNext)) {
      parts.push(...some);
      if (response.closed) break;
    }
  }
  return new JsonParts([...parts, Buffer.from(end)]);
}

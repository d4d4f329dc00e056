import { JsonParts, type RowsToEncode } from '@outreach/http-api/envelope';
import type { Response } from 'express';
import { type BackgroundSteps, convertSome } from '@outreach/concurrency';

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

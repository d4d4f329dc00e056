import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { closeSignal } from '../requests/index.js';
import type { View } from './view.js';

/** The result of a handler that has stored the work for a worker: 202 with the record of the work. */
export class Accepted<Row> {
  constructor(readonly record: Row) {}
}

/** The second response of a route, to clients that do not want to wait (RFC 7240, 4.1). */
export interface AcceptedResponse {
  readonly view: View<never>;
  /** Returns the path of the record under the base URL. It takes the record as the response shows it. */
  readonly location: (record: { readonly id: number }) => string;
}

/** The body of a 202. */
export interface AcceptedBody {
  readonly data: { readonly id: number };
}

const PREFERENCE = 'respond-async';
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/**
 * A signal that is aborted when the client, which waits for the result, closes the connection; undefined if it does not
 * wait, but sent `Prefer: respond-async`, alone or among others.
 */
export const WaitSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal | undefined => {
  const http = context.switchToHttp();
  const { prefer = '' } = http.getRequest<Request>().headers;
  return isPreferred(String(prefer)) ? undefined : closeSignal(http.getResponse<Response>());
});

/** Returns whether a `Prefer` header names the preference: names are compared without case, parameters are ignored */
const isPreferred = (header: string): boolean =>
  header
    .replaceAll(QUOTED, '')
    .split(',')
    .some((preference) => /^[^;=]*/.exec(preference)?.[0].trim().toLowerCase() === PREFERENCE);

/** Sets the status and the headers of a 202. @param body as it is sent */
export function setAccepted(
  response: Response,
  { location }: AcceptedResponse,
  publicUrl: string,
  { data }: AcceptedBody,
): void {
  response.status(202);
  response.setHeader('Location', `${publicUrl}/v1${location(data)}`);
  response.setHeader('Preference-Applied', PREFERENCE);
}

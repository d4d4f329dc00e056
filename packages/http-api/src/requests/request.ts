import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FieldErrors, NotFound } from '@outreach/http-errors';
import type { Request } from 'express';
import type { Permission } from '../routes/index.js';
import type { ReceivedFile } from './received-file.js';

/** A request, with what guards and interceptors add to it. */
export interface ApiRequest extends Request {
  /** Whose token the request was made with. */
  user?: { readonly permissions: readonly Permission[] };
  /** The bytes of a JSON body. */
  rawBody?: Buffer;
  /** The errors of a JSON body that is not parsed because it has too many levels, keys or values. */
  refusedBody?: FieldErrors;
  /** Errors that were found before the input was read. They are part of the response to an invalid input. */
  inputErrors?: FieldErrors;
  /** The uploaded file. It is deleted when the request ends. */
  upload?: ReceivedFile;
}

/** Adds errors to those of the input, which are all in one response. */
export function addInputErrors(request: ApiRequest, errors: FieldErrors): void {
  request.inputErrors = { ...request.inputErrors, ...errors };
}

/** An ID in the path. Any value but an integer from 1 to 2^53−1 is a 404. */
export const IdParam = createParamDecorator((parameter: string | undefined, context: ExecutionContext): number =>
  pathId(context.switchToHttp().getRequest<ApiRequest>().params[parameter ?? 'id']),
);

/**
 * Parses the ID of a path.
 * @throws NotFound if the text is not an integer from 1 to 2^53−1
 */
export function pathId(text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw new NotFound();
  return id;
}

import type { Request, Response } from 'express';
import iconv from 'iconv-lite';
import { type FieldErrors, ValidationFailed } from '../errors/index.js';
import { structureErrors } from './validation/index.js';

/** A JSON body has too many levels, keys or values. */
class RefusedStructure extends Error {
  constructor(readonly errors: FieldErrors) {
    super('The body has too many levels, keys or values.');
  }
}

/**
 * Counts the levels, keys and values of a JSON body that is not parsed yet.
 * @param charset the encoding of the bytes
 * @throws an error that {@link passStructureErrors} replaces
 */
export function checkStructure(bytes: Buffer, charset: string): void {
  const errors = structureErrors(charset === 'utf-8' ? bytes : Buffer.from(iconv.decode(bytes, charset)));
  if (errors) throw new RefusedStructure(errors);
}

type Parser = (request: Request, response: Response, next: (error?: Error) => void) => void;

/** Returns a parser that fails with ValidationFailed if {@link checkStructure} throws: body-parser would change its status. */
export const passStructureErrors =
  (parser: Parser): Parser =>
  (request, response, next) =>
    parser(request, response, (error) =>
      next(error instanceof RefusedStructure ? new ValidationFailed(error.errors) : error),
    );

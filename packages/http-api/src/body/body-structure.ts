import { structureErrors } from '@outreach/untrusted-json';
import type { Request, Response } from 'express';
import iconv from 'iconv-lite';
import type { FieldErrors } from '@outreach/http-errors';
import type { ApiRequest } from '../requests/index.js';

/** A JSON body has too many levels, keys or values. */
class RefusedStructure extends Error {
  constructor(readonly errors: FieldErrors) {
    super('The body has too many levels, keys or values.');
  }
}

/**
 * Counts the levels, keys and values of a JSON body that is not parsed yet.
 * @param charset the encoding of the bytes
 * @throws an error that {@link withoutRefused} handles
 */
export function checkStructure(bytes: Buffer, charset: string): void {
  const errors = structureErrors(charset === 'utf-8' ? bytes : Buffer.from(iconv.decode(bytes, charset)));
  if (errors) throw new RefusedStructure(errors);
}

type Parser = (request: Request, response: Response, next: (error?: Error) => void) => void;

/**
 * Returns a parser that leaves a body unparsed if {@link checkStructure} throws. The request has the errors then, because
 * other checks come before them: a record that does not exist is a 404, whatever the body.
 */
export const withoutRefused =
  (parser: Parser): Parser =>
  (request, response, next) =>
    parser(request, response, (error) => {
      if (!(error instanceof RefusedStructure)) return next(error);
      (request as ApiRequest).refusedBody = error.errors;
      next();
    });

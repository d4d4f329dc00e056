import express, { type NextFunction, type Request, type Response } from 'express';
import { BadRequest } from '../errors/index.js';
import type { ServiceRequest } from './request.js';

/** A megabyte, in bytes. */
export const MEGABYTE = 1_048_576;

/** Whether a request comes with a body of at least one byte. */
export const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** A path whose bodies are no JSON. */
export interface NonJsonBody {
  readonly path: RegExp;
  /** The media types that its route reads by itself. */
  readonly types: readonly string[];
  /** Nobody looks at the body, so it may be of any type, or none. */
  readonly ignored?: true;
}
export type NonJsonBodies = readonly NonJsonBody[];

/**
 * The middleware that reads bodies: JSON of at most 1 MB; another media type is 415. An empty body is left to the
 * pipe, which takes it for `{}`. Routes that stream their body are named in `others`.
 */
export function readBody(nonJsonBodies: NonJsonBodies = []) {
  const json = express.json({
    limit: MEGABYTE,
    strict: false,
    type: ['json', '+json'],
    verify: (request: ServiceRequest, _response, bytes) => void (request.rawBody = bytes),
  });
  const form = express.urlencoded({ limit: MEGABYTE, extended: false });
  return (request: Request, response: Response, next: NextFunction): void => {
    const nonJson = nonJsonBodies.find(({ path }) => path.test(request.path));
    if (!hasBody(request) || nonJson?.ignored) return next();
    if (request.is(['json', '+json'])) return json(request, response, next);
    if (!nonJson || !request.is([...nonJson.types])) {
      return next(new BadRequest(415, `The body must be sent as ${nonJson?.types[0] ?? 'application/json'}.`));
    }
    if (request.is('urlencoded')) return form(request, response, next);
    next();
  };
}

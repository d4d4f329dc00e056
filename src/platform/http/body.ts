import express, { type NextFunction, type Request, type Response } from 'express';
import { BadRequest } from '../errors/index.js';
import type { ServiceRequest } from './request.js';

/** A megabyte, in bytes. */
export const MEGABYTE = 1_048_576;

/** Whether a request has a body of at least one byte. */
export const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** A path whose request bodies are not JSON. */
export interface NonJsonBody {
  readonly path: RegExp;
  /** The media types that the route reads itself. */
  readonly types: readonly string[];
  /** The route ignores the body, so it may have any media type, or none. */
  readonly ignored?: true;
}
/** All paths whose request bodies are not JSON. */
export type NonJsonBodies = readonly NonJsonBody[];

/**
 * Returns the middleware that reads request bodies: JSON of at most 1 MB. Another media type is 415. An empty body is
 * left to `InputPipe`, which treats it as `{}`.
 * @param nonJsonBodies the paths whose routes read their bodies themselves
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

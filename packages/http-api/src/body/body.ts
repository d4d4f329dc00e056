import type { Server } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { BadRequest } from '@outreach/http-errors';
import { checkStructure, withoutRefused } from './body-structure.js';
import type { ApiRequest } from '../requests/index.js';
import type { Schema } from '../responses/index.js';

/** A megabyte, in bytes. */
export const MEGABYTE = 1_048_576;

/** How long the unread rest of a body is discarded after the response, before the connection is closed. */
const DISCARD_MS = 5_000;

/** How long a client may take to send a body: a megabyte at 280 kbit/s. */
const BODY_TIMEOUT_MS = 30_000;

/** Whether a request has a body of at least one byte. */
export const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** A path whose request bodies are not JSON, or are read as bytes. */
export interface NonJsonBody {
  readonly path: RegExp;
  /** The media types that the route reads itself. */
  readonly types: readonly string[];
  /** Of a body without an input class, for the API reference. */
  readonly schema?: Schema;
  /** The route ignores the body, so it may have any media type, or none. */
  readonly ignored?: true;
}
/** All paths whose request bodies are not JSON. */
export type NonJsonBodies = readonly NonJsonBody[];

/** The requests whose clients send the body when they have received `100 Continue`. */
const expectingContinue = new WeakSet<object>();

/** Lets clients that send `Expect: 100-continue` wait until their body is read, so that a refused body is not sent. */
export function postponeContinue(server: Server): void {
  server.on('checkContinue', (request: object, response: object) => {
    expectingContinue.add(request);
    server.emit('request', request, response);
  });
}

/**
 * Prepares the reading of a body.
 * @throws BadRequest if the client has ended the request before its body is complete
 */
export function startReading(request: Request, response: Response): void {
  if (isAborted(request)) throw requestAborted();
  if (expectingContinue.delete(request)) response.writeContinue();
}

/** Whether the client has ended the request before its body is complete. */
export const isAborted = (request: Request): boolean => request.destroyed && !request.complete;

/** The error of a request for which {@link isAborted} returns true. */
export const requestAborted = (): BadRequest => new BadRequest(400, 'The request ended before its body did.');

/**
 * A middleware that closes the connection if a client still sends a body five seconds after the response. Until then,
 * Node reads and discards the rest: a client that is still sending could not read the response of a closed connection.
 */
export function limitDiscarding(request: Request, response: Response, next: NextFunction): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS).unref();
    request.once('close', () => clearTimeout(timer));
  });
  next();
}

/** Reads a body into `request.body`. */
export type BodyParser = (request: Request, response: Response, next: (error?: Error) => void) => void;

const parseJson: BodyParser = withoutRefused(
  express.json({
    limit: MEGABYTE,
    strict: false,
    type: ['json', '+json'],
    verify: (request: ApiRequest, _response, bytes, charset) => {
      request.rawBody = bytes;
      checkStructure(bytes, charset);
    },
  }),
);

const parseForm: BodyParser = express.urlencoded({ limit: MEGABYTE, extended: false });

/**
 * Finds how a request's body is read: JSON of at most 1 MB, except for routes that take other bodies. An empty body is left
 * to `InputInterceptor`, which treats it as `{}`.
 * @param nonJsonBodies the paths whose routes read their bodies themselves
 * @returns undefined if there is nothing to read
 * @throws BadRequest 413 or 415
 */
export function bodyParser(request: Request, nonJsonBodies: NonJsonBodies): BodyParser | undefined {
  if (!hasBody(request)) return undefined;
  const nonJson = nonJsonBodies.find(({ path }) => path.test(request.path));
  if (nonJson?.ignored) return undefined;
  if (!nonJson && request.is(['json', '+json'])) return withinLimit(parseJson, request);
  if (!nonJson || !request.is([...nonJson.types])) {
    throw new BadRequest(415, `The body must be sent as ${nonJson?.types[0] ?? 'application/json'}.`);
  }
  return request.is('urlencoded') ? withinLimit(parseForm, request) : undefined;
}

function withinLimit(parser: BodyParser, { headers }: Request): BodyParser {
  if (Number(headers['content-length']) > MEGABYTE) {
    throw new BadRequest(413, 'The request body is larger than 1 MB.');
  }
  return parser;
}

/**
 * Reads the body of a request.
 * @param milliseconds how long the client may take to send it
 * @throws BadRequest 408, ValidationFailed if it has too many levels, keys or values, or an error of the parser with the
 *   status 400, 413 or 415
 */
export async function readBody(
  parser: BodyParser,
  request: Request,
  response: Response,
  milliseconds = BODY_TIMEOUT_MS,
): Promise<void> {
  startReading(request, response);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      response.setHeader('Connection', 'close');
      reject(new BadRequest(408, `The request body did not arrive within ${milliseconds / 1000} seconds.`));
    }, milliseconds);
    parser(request, response, (error?: Error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    });
  });
}

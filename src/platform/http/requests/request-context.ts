import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Log } from '@outreach/logging';
import { requestDuration } from './request-metrics.js';
import type { ServiceRequest } from './request.js';

const REQUEST_ID_HEADER = 'X-Request-Id';
const REQUEST_ID = /^[\w.-]{1,128}$/;
/** A long opaque path segment is a secret, e.g. of an unsubscribe link. */
const TOKEN = /(?<=\/)[\w-]{22,}(?=[/.]|$)/g;
/** A path segment with an email address, which may belong to a person. */
const ADDRESS = /[^/]*(?:@|%40)[^/]*/g;
const API_PATH = /^\/v1(\/|$)/;
/** The headers of every response of the API: it may contain data of the workspace. */
export const API_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
]);
/** The value of `X-API-Version`. */
export const API_VERSION = '1.0';

/** @returns the field of log lines that refers to the request of a response */
export const requestFields = (response: Response): { readonly request_id: string } => ({
  request_id: String(response.getHeader(REQUEST_ID_HEADER)),
});

/**
 * Returns a middleware that sets `X-Request-Id` (the client's if it is well-formed) and `X-API-Version` on every
 * response, and on those under `/v1` the headers that prevent caching and guessing of the media type. It logs and measures
 * each request. The ID is an argument where it is logged: with an `AsyncLocalStorage`, Node 20 calls a hook for each promise,
 * which takes a seventh of the time of a small request.
 */
export function requestContext(log: Log) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { method } = request;
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
    const startedAt = process.hrtime.bigint();
    response.setHeader(REQUEST_ID_HEADER, requestId);
    response.setHeader('X-API-Version', API_VERSION);
    if (API_PATH.test(request.path)) response.setHeaders(API_HEADERS);
    response.once('close', () => {
      const milliseconds = Number(process.hrtime.bigint() - startedAt) / 1e6;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      requestDuration.observe({ method, route, status: response.statusCode }, milliseconds / 1000);
      log.info('request', {
        request_id: requestId,
        workspace_id: (request as ServiceRequest).user?.workspace_id,
        method,
        path: request.path.replaceAll(TOKEN, '[hidden]').replaceAll(ADDRESS, '[hidden]'),
        status: response.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
      });
    });
    next();
  };
}

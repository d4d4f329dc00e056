import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { AcceptedResponse } from './accepted.js';
import type { Schema, View } from './view.js';

/** One page of a list. */
export interface RecordPage<Row> {
  readonly data: readonly Row[];
  /** How many records all pages have; null if they are not counted. */
  readonly total: number | null;
  readonly query: {
    readonly page: number;
    readonly per_page: number;
    /** Where a page with a cursor begins; undefined if the list is read by page numbers. */
    readonly position: unknown;
  };
  /** Where the next page begins; null on the last one, and if the list is counted and read by page numbers. */
  readonly next: unknown;
}

/** The status of an error that a route can declare. */
export type DeclaredError = 400 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429;

/** The successful response of a route, as `@Responds` and its short forms declare it. */
export interface RouteResponse {
  readonly status: number;
  /** `data`: `{ data, message? }`. `page`: with `links` and `meta`. `none`: the bare record, or no JSON at all. */
  readonly envelope: 'data' | 'page' | 'none';
  /** The record or records in the body. Absent if the body is described by `schema`, empty, or not JSON. */
  readonly view?: View<never>;
  /** Describes a result that is sent without a view. */
  readonly schema?: Schema;
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
  /** The text of `message` beside `data`. */
  readonly message?: (result: never) => string;
  /** A second status with the same body, for the results for which `when` returns true. */
  readonly otherStatus?: { readonly status: number; readonly when: (result: never) => boolean };
  /** The response to results that are `Accepted`. */
  readonly accepted?: AcceptedResponse;
  /** Statuses of errors that do not follow from the method, the path and the inputs of the route. */
  readonly errors?: readonly DeclaredError[];
}

/** What `@Responds` takes beside the view. */
export interface ResponseOptions<Result> {
  /** 200 by default. */
  readonly status?: number;
  /** `none` sends the bare record. */
  readonly envelope?: 'data' | 'none';
  readonly message?: (result: Result) => string;
  readonly otherStatus?: { readonly status: number; readonly when: (result: Result) => boolean };
  readonly accepted?: AcceptedResponse;
  readonly errors?: readonly DeclaredError[];
}

/** Metadata key of the {@link RouteResponse} on a handler. */
export const ROUTE_RESPONSE = Symbol('route response');

const declareResponse = (response: RouteResponse) =>
  applyDecorators(HttpCode(response.status), SetMetadata(ROUTE_RESPONSE, response));

/** Decorates a handler; the compiler checks that it returns this result. */
type HandlerDecorator<Result> = <Handler extends (...args: never[]) => Result | Promise<Result>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * The route responds with what its handler returns: 200 `{ data }` unless the options say otherwise.
 * @param body a view of the result, or the schema of a result that is sent unchanged
 */
export const Responds = <Result>(
  body: View<Result> | Schema,
  options: ResponseOptions<Result> = {},
): HandlerDecorator<Result> =>
  declareResponse({ status: 200, envelope: 'data', ...(isView(body) ? { view: body } : { schema: body }), ...options });

/** The route responds with 200 and the pagination envelope around the records of a page. */
export const RespondsPage = <Row>(view: View<Row>): HandlerDecorator<RecordPage<Row>> =>
  declareResponse({ status: 200, envelope: 'page', view });

/** The route responds with 204 and an empty body. */
export const RespondsNoContent = () => declareResponse({ status: 204, envelope: 'none' });

/** The handler writes the response body itself, in this media type. */
export const RespondsStream = (
  mediaType: string,
  options: { status?: number; errors?: RouteResponse['errors'] } = {},
) => declareResponse({ status: 200, envelope: 'none', mediaType, ...options });

const isView = <Result>(body: View<Result> | Schema): body is View<Result> => typeof body.toJson === 'function';

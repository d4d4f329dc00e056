import type { ErrorReason } from './types.js';

/** The fields of an error response, as far as it has them. */
interface ErrorFields {
  readonly error?: string;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>> | null;
  readonly reason?: ErrorReason;
}

/** A response whose status is not 2xx. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The kind of error, for example `ValidationError`; undefined if the response is not from the service. */
  readonly error: string | undefined;
  /** The path of each invalid field → messages. Empty unless the status is 422. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** A stable code of the rule that was violated, if there is one. Newer versions of the service may have more of them. */
  readonly reason: ErrorReason | undefined;
  /** For the operator: the log of the service names each request by it. */
  readonly requestId: string | undefined;

  constructor(
    /** Its body has been read already. */
    readonly response: Response,
    /** The parsed body, or its text if it is not JSON. */
    readonly body: unknown,
  ) {
    const fields = fieldsOf(body);
    super(fields.message ?? `The response has the status ${response.status}.`);
    this.status = response.status;
    this.error = fields.error;
    this.errors = fields.errors ?? {};
    this.reason = fields.reason;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
  }
}

/** What a call returns: `data` of a response with a 2xx status, else `error`. */
interface CallResult<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful response. */
type DataOf<Result> = Result extends { error?: undefined; data: infer Data } ? Data : never;

/**
 * Returns the body of a call's response; undefined of one without a body.
 * @throws ApiError if the status is not 2xx
 */
export async function unwrap<Result extends CallResult<unknown>>(
  call: Result | Promise<Result>,
): Promise<DataOf<Result>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response, error);
  return data as DataOf<Result>;
}

function fieldsOf(body: unknown): ErrorFields {
  if (typeof body !== 'object' || body === null) return {};
  const { error, message, errors, reason } = body as Record<string, unknown>;
  return {
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof errors === 'object' && errors !== null ? { errors: errors as Record<string, string[]> } : {}),
    ...(typeof reason === 'string' ? { reason: reason as ErrorReason } : {}),
  };
}

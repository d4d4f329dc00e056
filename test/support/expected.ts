/** A timestamp as the API shows it, in UTC with milliseconds. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A UUID in lower case. */
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An ID that no record has: the largest one that JavaScript represents exactly. */
export const UNKNOWN_ID = 9_007_199_254_740_991;

/** The body of a 422 that has one message for each of these fields, and none for others. */
export const validationError = (...fields: string[]) => ({
  error: 'ValidationError',
  message: expect.any(String),
  errors: Object.fromEntries(fields.map((field) => [field, [expect.any(String)]])),
  code: 422,
});

/**
 * The body of an error that is not about fields.
 * @param reason that of a violated rule
 */
export const httpError = (code: number, reason?: string) => ({
  error: 'HttpError',
  message: expect.any(String),
  errors: null,
  code,
  ...(reason === undefined ? {} : { reason }),
});

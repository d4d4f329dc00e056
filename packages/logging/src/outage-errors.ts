/** Codes of the operating system and of PostgreSQL for what cannot be reached, does not respond, is starting, or only reads. */
const CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|25006|57P0[1-3]|53300)$/;

/** What drivers, and `@outreach/database`, say about it without a code. */
const WORDS =
  /^(Connection (is closed|terminated|ended)|Client (has encountered a connection error|was closed)|timeout (expired|exceeded)|Socket (closed|timeout)|Command timed out|Stream isn't writeable|Reached the max retries per request|LOADING |CLUSTERDOWN |None of startup nodes|All sentinels are unreachable|Failed to refresh slots cache|The database is not available)|did not respond within|\b(READONLY|MASTERDOWN)\b/;

/** Whether an error is an expected one, by itself or by its cause: something cannot be reached, or does not respond. */
export function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if ('code' in error && CODES.test(String(error.code))) return true;
  return WORDS.test(error.message) || isOutage(error.cause);
}

/** @returns the message of an error; that of an `AggregateError`, which Node throws for a host of several addresses, is empty */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

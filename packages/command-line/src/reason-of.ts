/** @returns the message of an error (the first one of an `AggregateError`) on one line, without a full stop */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
}

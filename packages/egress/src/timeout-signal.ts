/**
 * Returns a signal that aborts after this number of milliseconds. It is already aborted if the number is not positive.
 */
export function timeoutSignal(milliseconds: number): AbortSignal {
  return milliseconds > 0 ? AbortSignal.timeout(Math.ceil(milliseconds)) : AbortSignal.abort();
}

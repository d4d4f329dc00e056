/** Returns a signal that aborts after so many milliseconds, or an aborted one if there are none. */
export function timeoutSignal(milliseconds: number): AbortSignal {
  return milliseconds > 0 ? AbortSignal.timeout(Math.ceil(milliseconds)) : AbortSignal.abort();
}

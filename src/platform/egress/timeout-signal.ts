/** A signal that is aborted in so many milliseconds; at once where no time is left. */
export function timeoutSignal(milliseconds: number): AbortSignal {
  return milliseconds > 0 ? AbortSignal.timeout(Math.ceil(milliseconds)) : AbortSignal.abort();
}

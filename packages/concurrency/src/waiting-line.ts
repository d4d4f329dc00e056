/** How long a task waits for its place, and the error after this time. */
export interface WaitLimit {
  readonly milliseconds: number;
  error(): Error;
}

/** How many tasks of one key wait, and the error of those that would be more. */
export interface LineLimit {
  readonly perKey: number;
  error(): Error;
}

/** Where the functions are that start waiting tasks. */
export interface WaitingLine {
  add(start: () => void): unknown;
  delete(start: () => void): unknown;
}

/**
 * Waits in a line until the added function is called, and leaves the line.
 * @throws the reason of the signal, or the error of `limit` after its time
 */
export function waitInLine(line: WaitingLine, signal?: AbortSignal, limit?: WaitLimit): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      line.delete(start);
    };
    const start = (): void => {
      stopWaiting();
      resolve();
    };
    const leave = (): void => {
      stopWaiting();
      reject((signal?.aborted ? signal.reason : limit?.error()) as Error);
    };
    const timer = limit && setTimeout(leave, limit.milliseconds);
    line.add(start);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

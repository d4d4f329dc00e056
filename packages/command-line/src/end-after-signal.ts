/** How long a running migration may take to end after the signal to stop. */
const END_MS = 20_000;

/**
 * Waits for work that cannot be interrupted.
 * @param signal after it is aborted, the work has 20 seconds to end
 * @throws the reason of the signal after this time; the work runs on
 */
export async function endAfterSignal<R>(work: Promise<R>, signal: AbortSignal | undefined): Promise<R> {
  if (!signal) return work;
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), END_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Runs all steps of some work at once. @returns its result */
export function finished<R>(work: Generator<undefined, R>): R {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

type CheckedValue = number | string;

/** Compares values with expected values and collects the deviations. */
export class Checks {
  /** The number of comparisons. */
  made = 0;
  /** One line for each value that differs from the expected value. */
  readonly deviations: string[] = [];

  equal(what: string, actual: CheckedValue, expected: CheckedValue): void {
    this.made += 1;
    if (actual !== expected) this.deviations.push(`${what}: ${actual}, expected ${expected}`);
  }

  /** Checks that nothing was found. The deviation names the first few elements. */
  none(what: string, found: readonly string[]): void {
    this.made += 1;
    if (found.length === 0) return;
    const more = found.length > MAX_LISTED ? `, and ${found.length - MAX_LISTED} more` : '';
    this.deviations.push(`${what}: ${found.slice(0, MAX_LISTED).join(', ')}${more}; expected none`);
  }
}

const MAX_LISTED = 3;

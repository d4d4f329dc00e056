type CheckedValue = number | string;

/** Compares figures with what they must be, and remembers where they differ. */
export class Checks {
  /** How many figures were compared. */
  made = 0;
  /** A line for each figure that is not what it must be. */
  readonly deviations: string[] = [];

  equal(what: string, actual: CheckedValue, expected: CheckedValue): void {
    this.made += 1;
    if (actual !== expected) this.deviations.push(`${what}: ${actual}, must be ${expected}`);
  }

  /** Nothing of the kind may exist; the first few are named. */
  none(what: string, found: readonly string[]): void {
    this.made += 1;
    if (found.length === 0) return;
    const more = found.length > MAX_LISTED ? `, and ${found.length - MAX_LISTED} more` : '';
    this.deviations.push(`${what}: ${found.slice(0, MAX_LISTED).join(', ')}${more}; there must be none`);
  }
}

const MAX_LISTED = 3;

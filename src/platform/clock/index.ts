/** Returns the current time. */
export interface Clock {
  now(): Date;
}

/**
 * The clock of this computer, for what does not depend on a workspace: tokens, signatures, real appointments with other
 * systems. Durations and deadlines use `performance.now()`; what belongs to a workspace uses `scope.clock`.
 */
export const wallClock: Clock = { now: () => new Date() };

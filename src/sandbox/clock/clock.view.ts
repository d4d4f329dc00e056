import { is, view } from '@outreach/http-api/responses';

/** The clock of a sandbox. */
export interface ClockState {
  readonly now: Date;
  readonly is_settled: boolean;
}

export const sandboxClockView = view('SandboxClock', {
  /** The time of the workspace. */
  now: is.timestamp,
  /** Whether everything that was due by this time is done, and nothing is in progress. */
  is_settled: is.boolean,
});

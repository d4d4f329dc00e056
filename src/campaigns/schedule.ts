/** When a campaign may send: local wall-clock times on weekdays of an IANA time zone. */
export interface Schedule {
  readonly timezone: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly days: readonly number[];
  /** `HH:MM`, inclusive. */
  readonly start: string;
  /** `HH:MM`, exclusive. */
  readonly end: string;
}

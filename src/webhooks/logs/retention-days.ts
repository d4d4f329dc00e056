/** The number of days after which logs are deleted (API v1, "Limits"). */
export const LOG_RETENTION_DAYS = 30;

/** Logs refer to events. The last attempt may be days after the event, and its log is stored for another 30 days. */
export const BODY_RETENTION_DAYS = 2 * LOG_RETENTION_DAYS;

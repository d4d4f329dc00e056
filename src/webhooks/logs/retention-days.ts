/** Logs are deleted after so many days (API v1, "Limits"). */
export const LOG_RETENTION_DAYS = 30;

/** The number of days after which logs are deleted (API v1, "Limits"). */
export const LOG_RETENTION_DAYS = 30;

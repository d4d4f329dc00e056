/** Days for which logs are kept (API v1, "Limits"). */
export const LOG_RETENTION_DAYS = 30;

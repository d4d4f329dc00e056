/** Days for which logs are kept (API v1, "Limits"). */
export const DAYS_KEPT = 30;

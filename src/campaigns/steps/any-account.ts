/** The `email_account_id` of due steps whose contact has got a message before, but whose account was deleted. */
export const ANY_ACCOUNT = 0;

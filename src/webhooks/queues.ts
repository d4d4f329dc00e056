/** Lanes are webhooks: what is due for them is sent. */
export const DELIVERING = 'delivering';

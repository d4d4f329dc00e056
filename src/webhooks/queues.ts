/** A job delivers to one webhook. */
export const DELIVERING = 'delivering';

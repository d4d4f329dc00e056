/** The name of a record in files and URLs: words of a-z and 0-9, joined by hyphens. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

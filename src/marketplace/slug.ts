/** What names a record in files and addresses: words of a-z and 0-9, joined by hyphens. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

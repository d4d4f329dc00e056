const SEPARATORS = /[\s\p{Cf}\p{Pd}_]+/gu;

/**
 * The name of a column without what people and programs write differently: case, spaces and line breaks, invisible
 * characters, hyphens and underscores. `First name`, `FIRST-NAME` and `first_name` are the same.
 */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase().replace(SEPARATORS, '');

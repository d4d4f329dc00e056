/** The file whose date is that of the beginning of the last build. */
export const BUILT = 'dist/built';

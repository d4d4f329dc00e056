export type { DescribedPerson } from './described-person.js';
export { type ErasedRows, withoutRowsAbout } from './erased-rows.js';
export { ERASED, mentions, withoutMentions } from './mentions.js';

/** The languages of pages for recipients of mail. */
export type ReaderLanguage = 'en' | 'fr' | 'de' | 'es' | 'it' | 'nl' | 'pt';

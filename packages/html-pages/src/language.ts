/** The languages of pages. The first one is the default. */
export const LANGUAGES = ['en', 'fr'] as const;
/** A language of pages. */
export type Language = (typeof LANGUAGES)[number];

/** A request that knows which of some languages its `Accept-Language` prefers, as those of Express do. */
interface AcceptingRequest {
  acceptsLanguages(languages: string[]): string | false;
}

/** Returns the supported language that `Accept-Language` prefers (RFC 9110, 12.5.4). */
export function languageOf(request: AcceptingRequest): Language {
  const preferred = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === preferred) ?? LANGUAGES[0];
}

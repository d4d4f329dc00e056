/** The names of the fields that mail programs write above a mail that they quote, in several languages. */
const FIELD =
  /^[*_]{0,2}(from|sent|date|to|cc|subject|importance|de|envoyé|envoyée?|à|a|objet|cci?|répondre à|von|gesendet|datum|an|betreff|da|inviato|data|oggetto|para|enviado|asunto|assunto|van|verzonden|aan|onderwerp|fra|til|emne|från|skickat|till|ämne) ?:[*_]{0,2}(\s|$)/i;
/** The fields that come first. */
const FIRST = /^[*_]{0,2}(from|de|von|da|van|fra|från|gesendet|date|envoyé|sent) ?:/i;
const SENDER = /^[*_]{0,2}(from|de|von|da|van|fra|från) ?:/i;
/** A header has its fields within so many lines: a long list of recipients takes several. */
const MAX_LINES = 12;
const MIN_FIELDS = 3;

/** Returns whether the header of a quoted mail begins at this line: `From:`, `Sent:`, `To:`, `Subject:`. */
export function isMailHeader(lines: readonly string[], index: number): boolean {
  if (!FIRST.test(fieldIn(lines[index]))) return false;
  const names = new Set<string>();
  let hasSender = false;
  for (const line of lines.slice(index, index + MAX_LINES)) {
    const field = fieldIn(line);
    if (field === '') {
      if (names.size >= MIN_FIELDS) break;
      continue;
    }
    const name = FIELD.exec(field)?.[1];
    if (name !== undefined) names.add(name.toLowerCase());
    hasSender ||= SENDER.test(field);
  }
  return hasSender && names.size >= MIN_FIELDS;
}

const MAX_FIELD_LENGTH = 200;
const fieldIn = (line: string | undefined): string => (line ?? '').slice(0, MAX_FIELD_LENGTH).trim();

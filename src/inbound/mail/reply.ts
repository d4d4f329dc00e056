import { AUTOMATIC_FIELDS } from './automatic-fields.js';
import type { HeaderFields } from './header-fields.js';
import type { ReceivedMail } from './received-mail.js';

/** Returns the Message-IDs of the mails that a reply refers to, the latest first; none for an automatic reply. */
export function repliedTo({ header, subject }: ReceivedMail): string[] {
  if (isAutomatic(header) || AUTOMATIC_SUBJECT.test(subject)) return [];
  return [...header.messageIds('in-reply-to'), ...header.messageIds('references').reverse()];
}

/** Checks the fields of RFC 3834 and older conventions. */
function isAutomatic(header: HeaderFields): boolean {
  const submitted = header.get('auto-submitted').toLowerCase();
  return (
    (submitted !== '' && !submitted.startsWith('no')) ||
    /^(bulk|junk|list|auto_reply)/i.test(header.get('precedence')) ||
    AUTOMATIC_FIELDS.some((name) => header.has(name)) ||
    header.get('return-path') === '<>'
  );
}

/** The beginnings of subjects of automatic replies that have no other mark. */
const AUTOMATIC_SUBJECT =
  /^\s*(auto(matic|mated)?[ -]?(reply|response|reponse)|out of (the )?office|réponse automatique|absence du bureau|absent du bureau|automatische (antwort|reply)|abwesenheits|respuesta automática|risposta automatica|resposta automática)/i;

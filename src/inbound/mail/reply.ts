import type { HeaderFields } from './header-fields.js';
import type { ReceivedMail } from './received-mail.js';

/** The Message-IDs of what a mail answers, the nearest first; none where a machine wrote it. */
export function repliedTo({ header, subject }: ReceivedMail): string[] {
  if (isAutomatic(header) || AUTOMATIC_SUBJECT.test(subject)) return [];
  return [...header.messageIds('in-reply-to'), ...header.messageIds('references').reverse()];
}

/** RFC 3834, and what was in use before it. */
function isAutomatic(header: HeaderFields): boolean {
  const submitted = header.get('auto-submitted').toLowerCase();
  return (
    (submitted !== '' && !submitted.startsWith('no')) ||
    /^(bulk|junk|list|auto_reply)/i.test(header.get('precedence')) ||
    AUTOMATIC_FIELDS.some((mark) => header.has(mark)) ||
    header.get('return-path') === '<>'
  );
}

const AUTOMATIC_FIELDS = [
  'x-autoreply',
  'x-autorespond',
  'x-autoresponse',
  'x-vacation',
  'x-fc-machinegenerated',
  'list-id',
];

/** How mail programs begin the subject of what they answer by themselves, where they say it nowhere else. */
const AUTOMATIC_SUBJECT =
  /^\s*(auto(matic|mated)?[ -]?(reply|response|reponse)|out of (the )?office|réponse automatique|absence du bureau|absent du bureau|automatische (antwort|reply)|abwesenheits|respuesta automática|risposta automatica|resposta automática)/i;

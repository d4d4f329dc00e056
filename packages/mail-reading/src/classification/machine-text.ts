/** What machines say of the mail itself. */
const SELF: readonly string[] = [
  'this is an auto(mated|matic|-?generated|matically generated) (reply|response|e-?mail|message|notification|acknowledge?ment)',
  'this (e-?mail|message|reply|response) (was|is|has been) (sent |generated |created )?(automatically|auto-?generated)( sent| generated| created)?',
  '(this )?(mailbox|inbox|address|e-?mail address) is (not|un)-? ?(being )?(monitored|attended|read)',
  'ceci est (un (message|mail|e-mail|courriel)|une réponse) automatique',
  '(ce (message|mail|courriel)|cet e-?mail) (a été|est) (envoyé|généré) automatiquement',
  '(dies|das) ist eine automatisch(e| generierte| erstellte| erzeugte) (antwort|nachricht|e-?mail|mail)',
  'diese (nachricht|e-?mail|mail) (wurde|ist) automatisch',
  'diese e-?mail wurde maschinell',
  'este (es un )?(mensaje|correo)( electrónico)? (automático|(ha sido|fue|es) (enviado|generado) automáticamente)',
  'questa (è una|e-?mail è stata (inviata|generata)) (risposta automatica|automaticamente|e-?mail automatica)',
  'dit is een (automatisch(e)?|automatisch gegenereerd(e)?) (antwoord|bericht|e-?mail)',
  'esta é uma (mensagem|resposta) automática',
  'dett[ae] är ett automatiskt?( genererat)? (svar|meddelande)',
  'dette er (et|en) automatisk( generert| genereret)? (svar|melding|besked|beskjed)',
  'to jest (automatyczna (odpowiedź|wiadomość)|wiadomość (wygenerowana )?automatyczn)',
  'toto je automatick[áy] (odpověď|zpráva|odpoveď|správa)',
  '(это|данное) (автоматическое )?(сообщение|письмо)( было)? (автоматическ|сформировано автоматически|отправлено автоматически)',
  'это автоматическ(ий ответ|ое сообщение)',
];

/** What machines ask for, but also the disclaimers below the mails of people. */
const DO_NOT_REPLY: readonly string[] = [
  '(please )?do not (reply|respond) (directly )?to this (automated |automatic )?(e-?mail|message)',
  'please do not reply',
  '(merci|prière) de ne pas (y )?répondre( à (ce (message|mail|courriel)|cet e-?mail))?',
  'veuillez ne pas (y )?répondre',
  'bitte (antworten sie )?nicht (auf diese (nachricht|e-?mail|mail)|antworten)',
  '(por favor,? )?no (responda|responder) a este (mensaje|correo)',
  '(si prega di )?non rispondere a quest(a|o) (e-?mail|messaggio)',
  '(gelieve )?niet (te )?(beantwoorden|antwoorden|reageren)( op (dit|deze) (bericht|e-?mail))?',
  '(por favor,? )?não responda a (este|esta) (e-?mail|mensagem)',
  'vänligen svara inte',
  'prosimy (o nie odpowiadanie|nie odpowiadać)',
  'не отвечайте на (это|данное) (письмо|сообщение)',
];

/** What machines confirm. */
const RECEIPT: readonly string[] = [
  '(we|i) (have |has |had )?(successfully )?received your (e-?mail|message|request|enquiry|inquiry|mail)',
  'your (e-?mail|message|request|enquiry|inquiry|ticket|mail) (has been|was|is) (successfully )?(received|registered|created|logged)',
  '(thank you|thanks) for (contacting|your (e-?mail|message|request|enquiry|inquiry|mail)|getting in touch|reaching out|writing)[^.!?]{0,40}',
  "(we|someone|our team|a member of our team)( will|['’]ll) (get back to|respond to|reply to|contact|answer) you[^.!?]{0,60}",
  '(nous avons|votre (message|demande|mail|e-?mail) a) (bien )?(été )?reçue?( votre (message|demande|mail|e-?mail|courriel))?',
  'votre (message|demande|mail|e-?mail|courriel) a bien été (reçue?|enregistrée?|pris en compte|prise en compte)',
  '(nous vous répondrons|nous reviendrons vers vous)[^.!?]{0,60}',
  '(vielen dank|danke) für ihre (nachricht|e-?mail|anfrage|mail)[^.!?]{0,40}',
  '(wir haben ihre|ihre) (nachricht|e-?mail|anfrage|mail) (ist (bei uns )?eingegangen|(dankend )?erhalten|wurde (registriert|empfangen))',
  'wir (melden uns|werden uns)[^.!?]{0,80}',
  '(hemos recibido su|su) (mensaje|correo|solicitud)( ha sido recibid[oa])?',
  'abbiamo ricevuto (la (tua|sua) |il (tuo|suo) )?(e-?mail|messaggio|richiesta)',
  '(we hebben uw|uw) (bericht|e-?mail|aanvraag) (is )?(goed )?ontvangen',
];

/** A sentence of a disclaimer: it speaks to those who should not have got the mail. */
const CONDITION =
  /(?<!\p{L})(if you (are not|have|received|were)|intended recipient|in error|by mistake|si vous n|destinataire|par erreur|wenn sie|falls sie|sollten sie|irrtümlich|si usted|por error|se (non|lei)|per errore|als u|abusievelijk|om du|hvis du)(?!\p{L})/iu;

/** What says nothing: greetings, and the closing lines of letters. */
const FORMULA =
  /^(hi|hello|dear|hey|good (morning|afternoon|day)|greetings|bonjour|madame|monsieur|cher|chère|hallo|guten (tag|morgen)|sehr geehrte|liebe[rs]?|hola|buenos días|estimad[oa]s?|buongiorno|gentile|beste|geachte|olá|prezad[oa]s?|hej|hei|regards|(best|kind|warm) (regards|wishes)|sincerely|yours|thanks?|thank you|cordialement|bien (cordialement|à vous)|mit freundlichen grüßen|(freundliche|viele|beste) grüße|mfg|saludos|cordiali saluti|distinti saluti|met vriendelijke groet(en)?|the|your|your team|das|ihr|l['’]équipe)(?!\p{L})[^.!?]{0,60}$/iu;
const GREETING =
  /^(hi|hello|dear|hey|bonjour|hallo|guten tag|sehr geehrte|hola|buongiorno|beste|geachte|olá|hej|hei)(?!\p{L})[^,.!?\n]{0,60}[,.!]\s*/iu;

/** Asks the sender to prove that it is a person, before the mail is delivered. */
const CHALLENGES: readonly string[] = [
  "(verify|confirm|prove|ensure|make sure)( to (me|us))?( that)? you( a|['’])re (a )?(real |live )*(human|person|sender|not a (robot|bot|spammer|machine))",
  '(click|follow|visit|use) [^.!?]{0,60}(to|and) (verify|confirm|authenticate|release|deliver|complete) (the verification|your (message|e-?mail|mail|address|identity)|yourself)',
  '(message|e-?mail|mail)( that)?( you (have )?sent)? requires? (that you )?(verif|confirm|authenticat)',
  '(message|e-?mail|mail) (has been|was|is) (being )?(held|quarantined|put on hold|placed in|waiting|moved to)[^.!?]{0,80}(verif|confirm|approv|authenticat|until|request|waiting list)',
  'to (deliver|release) (your|this) (message|e-?mail|mail)',
  'protected by [^.!?]{0,40}(anti-?spam|spam ?(blocker|arrest|filter)|boxbe|mailinblack)',
  'you (have to|need to|must|only need to|will only have to) do this (only )?once',
  'this is a one-?time (request|verification|confirmation)',
  "(confirmer|vérifier|prouver) que vous (êtes|n['’]êtes) [^.!?]{0,20}(humain|personne|robot|machine)",
  '(cliquez|cliquer)[^.!?]{0,60}(authentifi|confirmer|débloquer|délivr|libérer)',
  '(bestätigen|verifizieren)( sie)?[^.!?]{0,40}(dass sie (ein mensch|kein (roboter|spammer))|ihre (nachricht|e-?mail) zugestellt)',
  '(confirm|verifi)[^.!?]{0,20} que (es|usted es|eres|no es) [^.!?]{0,15}(humano|persona|robot)',
  '(conferm|verific)[^.!?]{0,20} (di essere|che sei|che è) [^.!?]{0,15}(umano|persona|robot)',
  '(bevestig|bewijs)[^.!?]{0,20} dat (u|je) [^.!?]{0,15}(mens|persoon|geen robot)',
];
/** How the proof is given. A person who asks whether a person has written names no way. */
const WAY =
  /https?:\/\/|(simply |just |please )?(reply|respond) to this (message|e-?mail|mail)|répond(ez|re) (simplement )?à ce (message|mail)|antworten sie (einfach )?auf diese|subject line|captcha/i;

/** What may stand before it in its sentence. */
const START = String.raw`^[\s*#_"(\[-]{0,10}(please note( that)?|note|nb|info|hinweis|achtung|attention|n\.b\.)?[: ]{0,2}`;
const startingWith = (patterns: readonly string[]): RegExp => new RegExp(`${START}(${patterns.join('|')})`, 'iu');
const SELF_SENTENCE = startingWith(SELF);
const MACHINE_SENTENCE = startingWith([...SELF, ...DO_NOT_REPLY]);
const RECEIPT_SENTENCE = startingWith(RECEIPT);
const CHALLENGE = new RegExp(`(?<!\\p{L})(${CHALLENGES.join('|')})`, 'iu');

/** How much of a text is compared. */
const MAX_LENGTH = 2_000;

/**
 * Returns whether a text is written by a machine, by its words. What machines say of themselves is also written below the
 * mails of people, in disclaimers, so it only counts at the beginning, or if the text says nothing else, or if the header
 * has a field that machines prefer.
 */
export function isWrittenByMachine(text: string, isMarked: boolean): boolean {
  const sentences = sentencesOf(text).filter((sentence) => !CONDITION.test(sentence));
  if (!sentences.some((sentence) => MACHINE_SENTENCE.test(sentence))) return false;
  if (isMarked) return true;
  const others = sentences.filter((sentence) => !FORMULA.test(sentence));
  const [first = ''] = others;
  if (SELF_SENTENCE.test(first)) return true;
  if (RECEIPT_SENTENCE.test(first) && others.some((sentence) => SELF_SENTENCE.test(sentence))) return true;
  const isKnown = (sentence: string): boolean => MACHINE_SENTENCE.test(sentence) || RECEIPT_SENTENCE.test(sentence);
  return text.length <= MAX_LENGTH && others.every(isKnown);
}

/** Returns whether a text asks its reader to confirm that a person has sent the mail that it answers. */
export function isChallenge(subject: string, text: string): boolean {
  // "Are you a real person?" is what people ask.
  const sentences = sentencesOf(`${subject}\n\n${text}`).filter((sentence) => !sentence.endsWith('?'));
  const compared = sentences.join(' ');
  return CHALLENGE.test(compared) && WAY.test(compared);
}

/** Lines within a paragraph go on. */
const sentencesOf = (text: string): string[] =>
  text
    .slice(0, MAX_LENGTH)
    .normalize('NFC')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim().replace(GREETING, ''))
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?。！？]) /))
    .filter((sentence) => /\p{L}/u.test(sentence));

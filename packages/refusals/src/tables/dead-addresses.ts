import type { CausePattern } from './pattern.js';

/** What is named in a refusal: a mailbox, its user, or its address. */
const RECIPIENT =
  '(?:user ?(?:name|id)?|recipients?|rcpt|mail ?box|mail account|e-?mail (?:address|account|id)|account|address(?:ee)?|alias|local[- ]?part|person|virtual user|destinat\\w{1,8})';
const DOMAIN = '(?:(?:mail |dns |recipient )?domain(?: name)?|host(?: name)?|server name)';
/** The end of what is said: `email invalid`, not `email with invalid content`. */
const END = `(?=\\s*(?:$|[^\\s\\p{L}\\d]|user|or |and |here|at |in ))`;
/** Not `… an unknown error`. */
const NO_CAUSE =
  '(?! (?:\\w+ ){0,2}?(?:error|reason|problem|cause|failure|response|command|host|character|format|option|parameter))';
/** Says of something that it is not there: `… does not exist`, `… not found`. */
const MISSING = `(?:(?:does|do|did)(?: not|n't) (?:currently )?exist|doesnt exist|(?:is |are |was |were )?not (?:be )?(?:found|known|exist(?:ing|s)?|present|recogni[sz]ed|a (?:known|valid)|an active)|(?:is |are |was |were )?not valid${END}|not exists?|(?:is |are |was |were )?(?:un(?:known|recogni[sz]ed)${NO_CAUSE}|non-?existent|(?:invalid|illegal)${END})|(?:wasn't|isn't|can't be|couldn't be|could not be|cannot be) (?:found|known|valid|located|a valid))`;
/** Says of a mailbox that it was given up; not that its user has disabled or removed something. */
const ENDED =
  '(?:(?:is |was |has been |have been |currently )*(?<!\\b(?:has|have|had|not|message|mail|that|which) )(?:disabled|deactivated|inactive|not active|discontinued|closed|terminated|deleted|removed|obsolete|retired|archived|abandoned)|(?:is )?no longer (?:active|available|exists?|valid|in use|in service|used|accepts?|accepting|on server|with|works?|here|monitored|receiv\\w+)|has (?:left|moved))';

const pattern = (source: string): CausePattern<'dead_address'> => ({
  cause: 'dead_address',
  words: new RegExp(source, 'u'),
});

/**
 * Words that say that there is no such user, mailbox or domain. They count for a permanent refusal only, and only if nothing in
 * the text speaks of another cause. The letters stand for the sources in `other-causes.ts`.
 */
export const DEAD_ADDRESSES: readonly CausePattern<'dead_address'>[] = [
  // [P] "User unknown in virtual mailbox table", [S] "User unknown", [G] "The email account that you tried to reach does not
  // exist".
  pattern(`(?:\\b${RECIPIENT}\\b.{0,80}?|@ ?[^\\s\\p{L}\\d]{0,4} ?)${MISSING}`),
  // [Q] "Sorry, no mailbox here by that name", [E] "No Such User Here", "Unknown user", [F] "Invalid recipient", [T] "Mailbox
  // not found".
  pattern(
    `\\b(?:no such|unknown|invalid|non-?existent|non-?existing|bad|illegal|incorrect|wrong|not an?(?: valid| known| existing| active)?|unknown or (?:illegal|invalid)|invalid or unknown|unrout\\w{3,4}|not our)[- ](?:\\w{1,12} ){0,2}?${RECIPIENT}s?\\b`,
  ),
  pattern(
    '\\bno (?:such (?:e-?mail|name|forward)|(?:mail ?box|user|account|alias|recipient|address)(?= (?:here|by|for|with|named|called|at|found|exists?|available)\\b|\\s*(?:$|[^\\s\\p{L}\\d])))',
  ),
  // [Y] "This user doesn't have a yahoo.com account".
  pattern(
    "user (?:does not|doesn't|doesnt) have an?\\b|@ (?:does not|doesn't) have an? (?:\\w+ )?(?:account|mailbox)\\b",
  ),
  // [G] 5.2.1 "is disabled", "is inactive"; [Y] "This account has been disabled or discontinued"; [A] "recipient no longer on
  // server".
  pattern(`(?:\\b${RECIPIENT}\\b.{0,60}?|@ )${ENDED}`),
  pattern(
    `\\b(?:inactive|deactivated|disabled|closed|obsolete|archived|invalid/inactive) (?:\\w{1,12} )?${RECIPIENT}\\b`,
  ),
  // [O], [U], and RFC 5321, 4.2.3: "Requested action not taken: mailbox unavailable".
  pattern('\\bmailbox (?:is |not |currently )?(?:un)?avai?l?able|\\baccount (?:is )?unavailable'),
  // [M] RESOLVER.ADR.RecipNotFound, RESOLVER.ADR.ExRecipNotFound, [G] the link `?p=NoSuchUser`.
  pattern(
    'resolver\\.adr\\.\\w{0,30} ?notfound|recip(?:ient)?notfound|no ?such ?user|user ?unknown|can.t accept user|badrcptto|bad destination mailbox|undeliverable address',
  ),
  // "There is no one at this address", "Not our customer", "Nobody by that name".
  pattern(
    'no ?(?:one|body) (?:at|with|by|here)|not our customer|by that name|no such (?:person|address|mail ?drop|entry|object|id)\\b',
  ),
  // "not listed in Domino Directory", which `classifyRefusal` writes as follows.
  pattern('\\bis no recipient here\\b'),
  // Domains: [P] "Host or domain name not found", [E] "Unrouteable address", [Q] "couldn't find any host named", [M]
  // InfoDomainNonexistent.
  pattern(`\\b${DOMAIN}\\b:?[^:]{0,60}?${MISSING}`),
  pattern(
    `\\b(?:(?:no such|unknown|non-?existent|unrout\\w{3,5}) (?:mail |recipient )?|invalid (?:mail |recipient |destination ))${DOMAIN}\\b`,
  ),
  pattern(
    "unrout(?:e)?able|couldn't find any host|nxdomain|infodomainnonexistent|null ?mx|(?:domain|host)\\b.{0,30}(?:does(?: not|n't) accept (?:any )?e?-?mails?(?! \\w)|(?:has|provides|offers) no (?:smtp|mail) service)|no (?:mx|mail exchanger)s? (?:records? )?(?:was |were |could be )?(?:found|exists?)? ?for (?:the )?(?:recipient |destination )?(?:domain|host)\\b|had no relevant answers|non-existent hosts|(?:not|n't) able to find the (?:recipient )?domain|(?:does not|doesn't) receive (?:any )?e?mail(?! from)",
  ),
  // Why a provider drops an email: "Bounced Address", "Invalid".
  pattern('^(?:bounced address|invalid)$'),
  // French, German, Spanish, Italian, Portuguese, Dutch.
  pattern(
    "(?:destinataire|utilisateur|adresse|bo[iî]te|compte|domaine)s?\\b.{0,40}\\b(?:inconnue?|invalide|inexistante?|introuvable|d[ée]sactiv[ée]e?|archiv[ée]e|n'existe (?:pas|plus))",
  ),
  pattern(
    '(?:empfänger|benutzer|adresse|postfach|mailbox|konto|domain)\\b.{0,40}\\b(?:unbekannt|ungültig|existiert nicht|nicht (?:gefunden|bekannt|vorhanden)|deaktiviert)|(?:unbekannte|ungültige|kein)r? (?:empfänger|benutzer|adresse|postfach)',
  ),
  pattern(
    'no existe (?:el |la |ese |esa |dicha |este |esta )?(?:usuario|persona|cuenta|buz[oó]n|direcci[oó]n|destinatario)|(?:usuario|cuenta|buz[oó]n|direcci[oó]n|destinatario|dominio)\\b.{0,40}\\b(?:desconocid|inexistente|inv[aá]lid|no existe|no encontrad)|usuario desconocido',
  ),
  pattern(
    '(?:utente|destinatario|indirizzo|casella|dominio)\\b.{0,40}\\b(?:sconosciut|inesistente|non (?:esiste|trovat|valid)|errato|disattivat)|nessun utente',
  ),
  pattern(
    '(?:usu[aá]rio|destinat[aá]rio|endere[cç]o|conta|dom[ií]nio)\\b.{0,40}\\b(?:desconhecid|inexistente|inv[aá]lid|n[aã]o (?:existe|encontrad))|(?:gebruiker|ontvanger|adres|postvak|domein)\\b.{0,40}\\b(?:onbekend|bestaat niet|niet gevonden|ongeldig)',
  ),
  // Polish, Czech, Swedish, Danish, Finnish, Turkish, Russian, Chinese, Japanese, Korean.
  pattern(
    'nie istnieje|nie ma takiego|nieznany (?:u[zż]ytkownik|adres|odbiorca)|neexistuje|nezn[aá]m[yý] (?:u[zž]ivatel|p[rř][ií]jemce)|(?:finns|existerar) inte|findes ikke|finnes ikke|ok[aä]nd (?:mottagare|anv[aä]ndare)|ukendt (?:modtager|bruger)|ei ole olemassa|tuntematon vastaanottaja|(?:kullan[ıi]c[ıi]|al[ıi]c[ıi]|adres).{0,30}(?:bulunamad[ıi]|yok\\b|ge[cç]ersiz)|пользовател\\w{0,3}.{0,20}не (?:найден|существует)|так(?:ого|ой) .{0,20}нет|нет такого|(?:ящик|адрес|получател)\\w{0,3}.{0,30}не (?:найден|существует)|(?:收件人|用户|用戶|帐号|账号|郵箱|邮箱|地址).{0,12}(?:不存在|无效|無效)|存在しません|ユーザ.{0,60}見つかりません|宛先.{0,6}(?:不明|見つかりません)|ユーザー?.{0,10}(?:不明|存在)|존재하지 않',
  ),
];

/** A way to say that the address is dead with words that speak of something else in other texts. */
interface DeadPhrase {
  readonly words: RegExp;
  /** The phrase counts with this code only. */
  readonly code?: string;
}

/** These are read before `OTHER_CAUSES`, which would find `relay`, `list`, `access denied`, or `by that name`. */
export const DEAD_PHRASES: readonly DeadPhrase[] = [
  // [M] Directory-based edge blocking:
  // https://learn.microsoft.com/exchange/mail-flow-best-practices/use-directory-based-edge-blocking
  { words: /(all )?recipient address(es)? rejected ?: access denied/, code: '5.4.1' },
  // [P] relay_recipient_maps.
  { words: /(user )?unknown in relay recipient table/ },
  // [Q] The patch validrcptto.
  { words: /not in my validrcptto list/ },
  // HCL Domino.
  { words: /not (uniquely )?listed in (the )?(domino |public |name |and |& |address )+(directory|book)/ },
];

/** Parts of a text that say nothing of the cause: labels that reporting servers give to any refusal. */
export const MEANINGLESS =
  // Cisco (IronPort): "5.1.0 - Unknown address error 550-'…'". Postfix: "(in reply to RCPT TO command)". Postfix, Exim: who
  // said it. qmail: "… does not like recipient. Remote host said: …". The reply to DATA after any recipient was refused: "no
  // valid recipients".
  /unknown address error|(?:error: )?no valid recipients?|all recipients are invalid|does not like recipient|other mail system problem|delivery attempts: ?\d*|\(?in reply to (?:the )?(?:rcpt to|end of data|data) command\)?|please check .{0,60}?(?:address|spelling)|for (?:more|further) (?:information|details)|requested (?:mail )?action (?:not taken|aborted)|recipient address rejected/g;

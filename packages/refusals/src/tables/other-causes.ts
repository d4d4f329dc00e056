import type { RefusalCause } from '../refusal.js';
import type { CausePattern } from './pattern.js';

type OtherCause = Exclude<RefusalCause, 'dead_address' | 'unknown'>;

/**
 * Words that never speak of a dead address, whatever the code says. They are general on purpose: an address that is taken for
 * dead by mistake is lost to all workspaces, one that is taken for living by mistake is refused once more. The first that fits
 * holds.
 *
 * - [P] Postfix, https://www.postfix.org/access.5.html and https://www.postfix.org/postconf.5.html (reject_…)
 * - [E] Exim, https://www.exim.org/exim-html-current/doc/html/spec_html/ch-access_control_lists.html
 * - [Q] qmail, netqmail and vpopmail, https://cr.yp.to/proto/qsbmf.txt
 * - [S] Sendmail, https://www.proofpoint.com/us/products/email-protection/open-source-email-solution
 * - [G] Gmail, https://support.google.com/a/answer/3726730
 * - [M] Exchange Online,
 *   https://learn.microsoft.com/troubleshoot/exchange/email-delivery/ndr/non-delivery-reports-in-exchange-online
 * - [O] Outlook.com, https://sendersupport.olc.protection.outlook.com/pm/troubleshooting
 * - [Y] Yahoo, https://senders.yahooinc.com/smtp-error-codes
 * - [F] Orange and La Poste, https://postmaster.orange.fr and https://smtpfieldmanual.com/provider/orange
 * - [A] Apple, https://support.apple.com/102322
 * - [X] Cox, https://www.cox.com/residential/support/email-error-codes.html; Spectrum,
 *   https://www.spectrum.net/support/internet/understanding-email-error-codes
 * - [D] GoDaddy, https://www.godaddy.com/help/what-does-my-email-bounceback-mean-3568
 * - [C] Mimecast, https://mimecastsupport.zendesk.com/hc/articles/34000709564691
 * - [T] Tencent QQ, https://service.mail.qq.com/detail/0/92
 * - [U] GMX and Web.de, https://postmaster.gmx.net/en/error-messages
 */
export const OTHER_CAUSES: readonly CausePattern<OtherCause>[] = [
  // "Mailbox full", "over quota", [G] "out of storage space", [F] "Boite du destinataire pleine", [Q] "User over quota.
  // (#5.1.1)".
  {
    cause: 'mailbox_full',
    words:
      /\b(mail ?box|inbox|mail ?dir|mail ?folder|account|user|recipient|storage|disk|disc|boite|postfach|casella|buz[oó]n|caixa).{0,60}\b(is |est |è |está |ist )?(now )?(full\b|pleine|voll\b|piena|llen[oa]|cheia|over ?quota|over .{0,12}quota)/,
  },
  {
    cause: 'mailbox_full',
    words:
      /\bquota\b|over ?quota|exceed(s|ed|ing)? .{0,30}(quota|storage|disk space)|(out of|not enough|enough|(in|not )sufficient|no|no more) .{0,12}(space|storage)|disk ?space|system full|space has been used|full mailbox|mailbox.{0,30}(size|space) limit|(has|have) exceeded .{0,20}(disk )?space|too much mail data|quota (disque )?(dépassé|depasse)|kontingent|espacio insuficiente|メールボックス.{0,10}(一杯|いっぱい)|邮箱已满/,
  },
  // [G] 5.2.1 "receiving mail at a rate that prevents additional messages", [T] "frequency limited", [C] "rate limit".
  {
    cause: 'rate',
    words:
      /\b(at|mail|message|sending|delivery|unusual|maximum) rates?\b|\brates?[ -]?(limit|control|of )|rate[ds]? at |ratelimit|\brates?\b|throttl|too (many|quickly|fast|much mail)|slow(er)? down|try again slower|frequency|(hourly|daily|per hour|per day|per minute|sending|outbound|relay|recipients?|connection|messages?).{0,25}\b(limit|quota)|\blimit(s|ed|ing|ation)?\b|l[ií]mite\b|\bper (hour|minute|second)|too (often|frequent)|flood|频率|頻度|allowable number|excessive (volume|rate)|unexpected volume|trop de (connexions|messages)|zu viele|demasiad|troppi|concurrent connections/,
  },
  // The address of the sender: [P] "Sender address rejected", [E] "Sender verify failed", [F] "Emetteur invalide", [D] "From:
  // Domain is invalid".
  {
    cause: 'sender',
    words:
      /\bsenders?\b|\bsending (?!to\b)|\bsent from\b|\bsend (mail|messages|e-?mails?)? ?from|mail ?from\b|\bfrom[: ]{1,2}(address|domain|header|field)|\bin (the )?from\b|return[- ]path|envelope[- ](from|blocked)|originat(or|ing|ed)|submitter|\bfrom-(address|domain)|reply[- ]to (address|header|field)|(connections|messages|e-?mails|mails|traffic) from\b|outgoing|outbound|reverse[- ]path|[ée]metteur|exp[ée]di|absender|\bremitente|\bmittente|\bremetente|afzender|avs[aä]nd|avsender|afsender|lähettäj|g[oö]nderen|nadawc|odes[ií]latel|отправител|发件|發件|送信者|差出人|発信者|발신|보낸/,
  },
  // The client, its address and name: [P] "Client host rejected", "Helo command rejected", [X] rDNS, [U] "invalid DNS PTR
  // record".
  {
    cause: 'sender',
    words:
      /\bclients?\b|\bips?\b|\bipv[46]\b|connecting (host|server)|host ?(name)? (for|of|with) \[?\d{1,3}\.\d|\b(unknown|invalid|bad|no) host ?(name)? ?\[?\d{1,3}\.\d|\b(return|source|network|remote|envelope|submission|hosting|smtp(?= (user|account))) (e-?mail )?(address|user|account)\b|forward dns|\bhelo\b|\behlo\b|\br(everse)?[ -]?dns\b|\bptr\b|reverse (lookup|name|hostname)|your ((e-?mail|mail|user|smtp) )?(server|host|hostname|domain|network|mx|isp|system|provider|organi[sz]ation|computer|machine|connection|account|address|mailbox|user ?name|software|country|company)\b|(host|domain|name|ip) ?name lookup|dns (mx|ptr|record)|lookup (failed |failure |error )?(for|of) \[?\d{1,3}\.\d|\b(mx|a|aaaa) (or|and) .{0,6}(a|aaaa|mx) (resource )?records?|open proxy|dynamic ip|over ipv6|sending mta|mass mailer|\btls\b|tlsa|starttls|\bssl\b|encrypt|certificate|cipher|dnssec|\bdane\b/,
  },
  // The login: [E] of shared hosts "Please turn on SMTP Authentication", [G] "Authentication Required", [F] "Authentification
  // requise".
  {
    cause: 'sender',
    words:
      /authenti|authentifi|unauthenti|autentic|\bauth\b|log(ged|ging)?[- ]?(in|on)\b|\bsign(ed)?[- ]?(in|on)\b|认证|認証|인증|aanmeld|\bpasswords?\b|credential|smtp auth|anmeld|passwor[dt]|must (first )?(check|issue|pop)|pop[ -]?before/,
  },
  // Relaying: [E] "relay not permitted", [P] "Relay access denied", [S] "Relaying denied", [Q] "isn't in my list of allowed
  // rcpthosts".
  {
    cause: 'sender',
    words:
      /\brelay(s|ed|ing)?\b|\brelais\b|rcpt ?hosts?\b|not (a|an open) (gateway|relay)|non-local|weiterleit|gateway user/,
  },
  // SPF, DKIM, DMARC: [G] 5.7.26, [Y] 5.7.9, [F] LPN004_401.
  {
    cause: 'sender',
    words: /\bspf\b|\bdkim\b|\bdmarc\b|\barc\b|domain ?keys|\bbatv\b|impersonat|spoof|unaligned|alignment/,
  },
  // Block lists: [P] "blocked using zen.spamhaus.org", [O] "part of their network is on our block list", [A] "listing in
  // Spamhaus".
  {
    cause: 'sender',
    words:
      /black ?-?list|block ?-?list|deny ?-?list|white ?-?list|allow ?-?list|grey ?-?list|gray ?-?list|\bdnsbl|\brbls?\b|\bsbl\b|\bxbl\b|\bpbl\b|\bdbl\b|\bsurbl|\buribl|spamhaus|spamcop|barracudacentral|sorbs|abuseat|uceprotect|csi.cloudmark|ipcheck.proofpoint|\blist(s|ed|ing|e|en|es|a|as|ą|y|ę)?\b|\w{1,20}list(e|en|a)?\b|lijst|список|списк|名单|名單|リスト|목록|bl(o|oc)qu[eé]|\bblock(s|ed|ing)?\b|\bbann?(ed|ing)\b|reputation|senderscore/,
  },
  // Content: [M] "Message rejected as spam by Content Filtering", [U] "Reject due to policy restrictions", [E] "Administrative
  // prohibition".
  {
    cause: 'policy',
    words:
      /\bspam|\bspammy|unsolicited|\bbulk\b|\bjunk\b|phish|virus|malware|malicious|suspicious|suspected|abuse|abusive|complaint|content|attachment|executable|\bheaders?\b|message-id|(?<!valid )rfc ?\d|not rfc|non-?compliant|too (large|big|long)|message size|exceeds .{0,20}size|size (limit|exceed)|\bloop|hops?\b|smtpapi|\bmime\b|malformed|unsigned|encoding|message (length|limit|looks|appears|detected|given)|limite du message|detected that this message|recurrent pattern|multiple addresses/,
  },
  // Policy, and who may write: [M] "not authorized to send to the recipient", Google Groups "may not have permission to post".
  {
    cause: 'policy',
    words:
      /polic(y|ies)|politi(que|ca|k)|pol[ií]tica|polity(ka|ki)|politika|richtlinie|beleid|политик|策略|政策|ポリシー|정책|\baup\b|\bacl\b|terms of (service|use)|acceptable use|guidelines|subscri(ption|ber)|licen[sc]e|billing|payment|unpaid|compliance|administrat(ive|ively|or)\b.{0,30}(prohibit|den(y|ied)|block|reject|refus)|administratively|prohibit|forbidden|access denied|no access|not (been )?(allowed|permitted|authori[sz]ed|subscribed|approved|accepting mail from)|unauthori[sz]ed|isn't (allowed|permitted|authori[sz]ed)|permission|restrict|privileges|security (polic|reason|issue|concern|risk|violat|check)|violat|moderat|members? only|non-?member|filter|transport rule|\brules?\b|preferences|by (the )?recipient|(recipient|user) (rejects|refuses|declines|(has )?(refused|declined|rejected) (to|this|the|your|mail|message))|refuses to receive|challenge|captcha|verification fail|not verified|bouncedeny|go away|dsns?\b|delivery not authori|rejected due to|organi[sz]ational settings/,
  },
  // What may end: an expired retry ([E] "retry timeout exceeded"), an unreachable server, [F] "Veuillez essayer plus tard".
  {
    cause: 'temporary',
    words:
      /temporar(y|il)|\btemporal|temporair|vorübergehend|try (again )?later|try again (in|after|another)|found,? try again|plus tard|später|deferred|in progress|(retry|delivery|message|time|queue)\b.{0,30}(expired|time(d)?[ -]?out|exceeded)|timed? ?-?out|connection (refused|reset|lost|failed|dropped|was closed|closed|timed)|(network|host|server) (is )?(unreachable|not reachable|down)|unable to connect|could ?n[o']t connect|no route|service (is )?(currently |not )?(un)?available|resources|internal (server )?error|system (error|problem|failure)|local (configuration )?error|suspended|\blocked\b|frozen|maintenance|overload|\bbusy\b|numerous attempts|server failure|servfail|attempts will continue|(has been|message|is) delayed|for (more than|a long time)|allowed queue|did ?n[o']t respond|retries|misconfigur|config(uration)? error|closing (connection|transmission)|interrupted|syntax error|(un\w{4,12}|unimplemented) command|sequence of commands|write error|at this time/,
  },
];

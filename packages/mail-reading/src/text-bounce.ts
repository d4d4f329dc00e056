import { bounceOf } from './bounce.js';
import { citesPermanentFailure, reasonInSubject, withoutCopy } from './notice-text.js';
import type { PossibleReport, ServerReport } from './received-mail.js';
import { reportedAddress } from './reported-text.js';
import { returnedRecipient } from './returned-message.js';

/** Says that a message was not delivered, in the languages of servers. */
const FAILED = new RegExp(
  [
    String.raw`was ?n[o'’]?t able to (be delivered|deliver)|unable to (deliver|send|be delivered)|can ?n?['’o]t (be delivered|deliver)|(could|can|was|were) ?n['’o]t (be )?(delivered|sent)|delivery (of .{0,80} )?(has )?(failed|failure)|did not reach|failed to deliver`,
    String.raw`undeliver(ed|able)|permanent (fatal )?error|failed permanently|had (permanent )?delivery (errors|problems)|error (has )?(occurred|delivering)|returned (mail|to sender)|failure notice|rejected by|the group you tried to contact|no valid recipients|non-delivered`,
    String.raw`n['’]a (pas )?pu [êe]tre (remis|délivré|distribué|livré|envoyé|transmis)|non remis|échec de (la )?(remise|livraison|distribution)`,
    String.raw`(konnte|kann) (leider )?(nicht|keinem).{0,60}zugestellt|nicht zugestellt|unzustellbar|nicht ausgeliefert`,
    String.raw`no (se )?(ha |pudo |ha podido |puede )?(ser )?entrega(r|do)|no pudo (ser )?(entrega|envia)|non (è stato |può essere )?(possibile )?(recapita|consegna)|mancat[ao] (consegna|recapito)|kon(den)? niet worden (afgeleverd|bezorgd)|não (foi )?(possível )?(pôde )?(ser )?entreg`,
    String.raw`送信できません|配信できません|配達できません|无法(投递|送达|发送)|退信|не (может быть |был[оа]? )?доставлен|nie (została|mogła zostać) (dostarczona|doręczona)`,
  ].join('|'),
  'i',
);
/** Says that it is tried again, or that the message has arrived. */
const NOT_FINAL = new RegExp(
  [
    String.raw`not yet been delivered|attempts will continue|will (be retried|retry|keep trying|continue (to try|trying))|(delivery|message|mail) (is|has been|was) delayed|delivery (is )?(delayed|incomplete)|delayed (mail|for|by)|\(delay\)|warning (message )?only|do not need to re-?send|still being retried|temporary failure report|notification: delayed`,
    String.raw`remise (est )?(retardée|différée)|nouvelles? tentatives?|verzögert|weitere zustellversuche|retrasad[oa]|se seguirá intentando|ritardat[oa]|vertraagd|atrasad[oa]|配信が遅れ|再送を|延迟|отложен|opóźni`,
    String.raw`successfully (been )?(delivered|relayed|received)|(has|have) been (successfully )?delivered|delivery (was |has been )?success`,
  ].join('|'),
  'i',
);

/** A report without the fields of RFC 3464, and the header fields that belong to it. */
export interface TextReport extends PossibleReport {
  readonly subject: string;
  /** The field `X-Failed-Recipients`; may be empty. */
  readonly failed_recipients: string;
}

/**
 * Reads a notice of a mail server without the fields of RFC 3464. A mail server that returns a message has not delivered
 * it, unless it says otherwise; a sender that may be a person must also say so.
 * @returns undefined if it does not say that a message was not delivered
 */
export function textBounce(report: TextReport): ServerReport | undefined {
  const { sender, subject, text, parts, failed_recipients: recipients } = report;
  const notice = withoutCopy(text);
  const said = `${subject}\n${notice}`;
  if (NOT_FINAL.test(said)) return undefined;
  const isFailure =
    recipients !== '' ||
    (sender === 'mail_server' && report.returned_ids.length > 0) ||
    FAILED.test(said) ||
    citesPermanentFailure(notice);
  if (!isFailure) return undefined;
  const address = reportedAddress(recipients) ?? returnedRecipient(parts) ?? addressIn(notice);
  return { kind: 'bounced', bounce: bounceOf({ reason: reasonInSubject(subject), text }), address };
}

const ADDRESS =
  /(?:^[ \t]{0,10}<?|(?:to|à|an|para|aan|address|recipient)s?:?[ \t]{1,10}<)([^<>\s\p{Cc}@:,;"]{1,64}@[^<>\s\p{Cc}@:,;"]{1,255})(?:>|:(?=\s)|[ \t]*$)/mu;

const addressIn = (notice: string): string | undefined => reportedAddress(ADDRESS.exec(notice)?.[1] ?? '');

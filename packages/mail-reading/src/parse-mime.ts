import { type ParsedMail, simpleParser } from 'mailparser';
import { joinFlowedLines, withFixedLines } from './reply-text/flowed-text.js';

const PARSER_OPTIONS = {
  // Keeps embedded messages unparsed: only their headers are used.
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
  // Limits the time of the parser, together with the limits of a mail.
  maxChildNodes: 100,
  maxHeadSize: 8_192,
};

/** Parses the parts of a mail (RFC 2045), and joins the lines of flowed texts. @throws Error if it cannot be parsed */
export async function parseMime(mail: Buffer): Promise<ParsedMail> {
  const { raw, flow } = withFixedLines(mail);
  const parsed = await simpleParser(raw, PARSER_OPTIONS);
  if (flow && parsed.text !== undefined) parsed.text = joinFlowedLines(parsed.text, flow);
  return parsed;
}

import { compile, type FormatCallback } from 'html-to-text';
import { CONTROL_CHARACTERS, END_OF_REPLY, QUOTE_HEADER } from './markers.js';
import { withLimitedNesting } from './nesting.js';

/** What mail programs put before the mail that they quote to its end. */
const QUOTED_TO_THE_END = [
  // Outlook on the web, Outlook.com, Outlook for phones, Outlook for Mac.
  '#appendonsend',
  '#divRplyFwdMsg',
  '#x_divRplyFwdMsg',
  '#mail-editor-reference-message-container',
  '#OLK_SRC_BODY_SECTION',
  '#stopSpelling',
  // Outlook for Windows: a border above the header of the quoted mail.
  'div[style*="border-top:solid #E1E1E1"]',
  'div[style*="border-top:solid #B5C4DF"]',
  'div[style*="border-top: 1pt solid rgb(225, 225, 225)"]',
  // Yahoo, Zimbra.
  '.yahoo_quoted',
  '#zwchr',
];

/** The lines before a quotation, in any language: Thunderbird, Gmail. */
const HEADERS_OF_QUOTES = ['.moz-cite-prefix', '.gmail_attr'];

const formatEnd: FormatCallback = (_element, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addLiteral(END_OF_REPLY);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const formatHeader: FormatCallback = (_element, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addLiteral(QUOTE_HEADER);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: 1_000_000, maxDepth: 100, ellipsis: '' },
  formatters: { endOfReply: formatEnd, headerOfQuote: formatHeader },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'title', format: 'skip' },
    { selector: 'hr', format: 'skip' },
    { selector: 'p', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...QUOTED_TO_THE_END.map((selector) => ({ selector, format: 'endOfReply' })),
    ...HEADERS_OF_QUOTES.map((selector) => ({ selector, format: 'headerOfQuote' })),
  ],
});

/** Converts the HTML of a mail to text. Quotations have `> ` before their lines, as in plain text. */
export const textOfHtml = (html: string): string => convert(withLimitedNesting(html.replace(CONTROL_CHARACTERS, '')));

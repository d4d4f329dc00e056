import { compile, type FormatCallback } from 'html-to-text';
import { isDataTable, printDataTable } from './data-table.js';

// Deeper than any layout nests its tables, and far below the limit of the call stack. Deeper elements are omitted: the
// time for nested lists and quotes is quadratic in their depth.
const MAX_DEPTH = 200;

// The HTML parser takes time quadratic in the depth of the document, so the number of elements limits its time.
// Later elements are omitted; mailbox providers cut off an email of that size long before.
const MAX_ELEMENTS = 10_000;

// The end tags `</p>` and `</br>` without a start tag are elements too (HTML standard, 13.2.6.4.7).
const ELEMENT = /<(?:[a-z]|\/(?:p|br)\b)/gi;

const block = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const heading = { uppercase: false };

const formatTable: FormatCallback = (table, walk, builder, options) => {
  if (isDataTable(table)) return printDataTable(table, walk, builder, options);
  builder.openBlock(block);
  walk(table.children, builder);
  builder.closeBlock(block);
};

// Without the space, the texts of adjacent cells of a layout table would have no gap between them.
const formatCell: FormatCallback = (cell, walk, builder) => {
  walk(cell.children, builder);
  builder.addInline(' ');
};

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
  formatters: { table: formatTable, cell: formatCell },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: heading })),
    { selector: 'table', format: 'table' },
    { selector: 'tr', format: 'block', options: block },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    ...['head', 'title', 'img'].map((selector) => ({ selector, format: 'skip' })),
    // Preview lines, and elements for one screen size only.
    { selector: '[style*="display:none" i]', format: 'skip' },
    { selector: '[style*="display: none" i]', format: 'skip' },
    { selector: '[hidden]', format: 'skip' },
  ],
});

/**
 * Returns the text part of an HTML email. The address of a link follows in angle brackets (RFC 3986, appendix C), the
 * columns of data tables are aligned, images and hidden elements are omitted. A paragraph is one line, and there is at
 * most one blank line between two paragraphs.
 */
export function toPlainText(html: string): string {
  return collapseBlankLines(convert(firstElements(html)));
}

/**
 * Removes spaces at the ends of lines, blank lines at the start and the end, and all but one of several blank lines.
 */
export function collapseBlankLines(text: string): string {
  const parts: string[] = [];
  let separator = '';
  for (let start = 0; start <= text.length;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const line = text.slice(start, end).trimEnd();
    if (line !== '') parts.push(separator, line);
    if (line !== '') separator = '\n';
    else if (parts.length > 0) separator = '\n\n';
    start = end + 1;
  }
  return parts.join('');
}

function firstElements(html: string): string {
  let elements = 0;
  for (const { index } of html.matchAll(ELEMENT)) {
    if (elements === MAX_ELEMENTS) return html.slice(0, index);
    elements += 1;
  }
  return html;
}

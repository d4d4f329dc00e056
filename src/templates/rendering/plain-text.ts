import { compile, type FormatCallback } from 'html-to-text';
import { isDataTable, printDataTable } from './data-table.js';

// Deeper than any layout nests its tables, and far from the stack's end; what lies deeper is left out.
const MAX_DEPTH = 500;

// The HTML parser's time is quadratic in the depth of the document, which no document with fewer elements exceeds.
// What comes after them is left out; an email of that size is cut off by mailbox providers long before.
const MAX_ELEMENTS = 30_000;

const block = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const heading = { uppercase: false };

const formatTable: FormatCallback = (table, walk, builder, options) => {
  if (isDataTable(table)) return printDataTable(table, walk, builder, options);
  builder.openBlock(block);
  walk(table.children, builder);
  builder.closeBlock(block);
};

// Neighbours in a row of a layout table would otherwise run together.
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
    // Preview lines, and what is meant for one kind of screen only.
    { selector: '[style*="display:none" i]', format: 'skip' },
    { selector: '[style*="display: none" i]', format: 'skip' },
    { selector: '[hidden]', format: 'skip' },
  ],
});

/**
 * The text part of an HTML email. Links show their address in angle brackets (RFC 3986, appendix C), tables of data
 * keep their columns, layout tables flow, images and hidden elements are left out; lines are as long as their
 * paragraphs, and at most one line is blank between two.
 */
export function toPlainText(html: string): string {
  return collapseBlankLines(convert(firstElements(html)));
}

/** The text without blanks at the ends of lines, with at most one blank line between two and none at its ends. */
export function collapseBlankLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

function firstElements(html: string): string {
  const opening = /<[a-z]/gi;
  for (let elements = 0; opening.test(html); elements += 1) {
    if (elements === MAX_ELEMENTS) return html.slice(0, opening.lastIndex - '<a'.length);
  }
  return html;
}

import type { OpenApiDocument } from '@outreach/http-api/openapi';

/** Sections of the introduction that a program needs before its first request. */
const RULES = ['Authentication', 'Requests and responses', 'Lists', 'Errors', 'Repeating requests', 'Quota'];

/** What the text needs of an operation. */
interface ListedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly 'x-permission'?: string;
}

interface Tag {
  readonly name: string;
  readonly description?: string;
}

/**
 * Returns the overview of the API for language models, in the form of https://llmstxt.org: a title, a summary, the rules of
 * requests, and a line for each operation that links to its part of the reference.
 * The form allows no headings before the first list of links, so the titles of the rules are bold.
 * @param document the API reference
 * @param url the service's URL, without the version
 */
export function llmsText(document: OpenApiDocument, url: string): string {
  const tags = document.tags as readonly Tag[];
  const [summary = '', ...sections] = String(document.info.description).split(/\n(?=## )/);
  const rules = sections.filter((section) => RULES.some((title) => section.startsWith(`## ${title}\n`)));
  return `${[
    `# ${document.info.title}`,
    `> ${summary.trim()}`,
    ...rules.map((section) => section.replace(/^## (.+)/, '**$1**').trim()),
    referenceLinks(url),
    ...tags.map((tag) => operationsOf(tag, document, url)).filter(Boolean),
    eventsOf(document, url),
  ].join('\n\n')}\n`;
}

const referenceLinks = (url: string): string => `## Reference

- [OpenAPI document](${url}/openapi.json): every operation with its parameters, schemas, errors and examples
- [Reference for people](${url}/docs): the same as a page, with samples in several languages and a form that sends requests`;

function operationsOf({ name, description }: Tag, { paths }: OpenApiDocument, url: string): string {
  const lines = operations(paths)
    .filter(({ operation }) => operation.tags?.includes(name))
    .map(({ method, path, operation }) => {
      const permission = operation['x-permission'];
      const needs = permission === undefined ? '' : ` (permission \`${permission}\`)`;
      return `- [${method.toUpperCase()} ${path}](${linkTo(url, 'paths', path, method)}): ${operation.summary}${needs}`;
    });
  return lines.length === 0 ? '' : [`## ${name}`, description, lines.join('\n')].filter(Boolean).join('\n\n');
}

function eventsOf({ webhooks }: OpenApiDocument, url: string): string {
  const lines = operations(webhooks).map(
    ({ path, method, operation }) => `- [${path}](${linkTo(url, 'webhooks', path, method)}): ${operation.summary}`,
  );
  return `## Deliveries to webhooks\n\n${lines.join('\n')}`;
}

const operations = (items: OpenApiDocument['paths']): { path: string; method: string; operation: ListedOperation }[] =>
  Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The fragment is a JSON Pointer (RFC 6901) into the document. */
const linkTo = (url: string, ...keys: readonly string[]): string =>
  `${url}/openapi.json#${encodeURI(keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))}`;

// The code, the compiler options and the names in docs/extending.md.
import { readFile } from 'node:fs/promises';

const EXAMPLE = 'examples/module-notes';
const ENTRY_POINT = 'src/extension/index.ts';

/** Replaces what is between `<!-- src/file.ts -->` and `<!-- /src/file.ts -->` by that file of the example; also `tsconfig.json`. */
export async function extendingPage(page) {
  const files = [...page.matchAll(/<!-- (src\/[\w.-]+|tsconfig\.json) -->/g)].map(([, file]) => file);
  let text = withPart(page, 'names', await names());
  for (const file of files) {
    const code = await readFile(`${EXAMPLE}/${file}`, 'utf8');
    text = withPart(text, file, `\`\`\`${file.endsWith('.ts') ? 'ts' : 'json'}\n// ${file}\n${code.trim()}\n\`\`\``);
  }
  return text;
}

function withPart(page, name, content) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const before = page.indexOf(start) + start.length;
  const after = page.indexOf(end);
  if (before < start.length || after < before) throw new Error(`docs/extending.md has no part ${name}`);
  return `${page.slice(0, before)}\n\n${content}\n\n${page.slice(after)}`;
}

/** The exports of the entry point, by what they are for. */
async function names() {
  const source = await readFile(ENTRY_POINT, 'utf8');
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)];
  const declared = [...source.matchAll(/export interface (\w+)/g)].map(([, name]) => name);
  const byTitle = new Map();
  for (const [, list, from] of lists) {
    const exported = list
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter(Boolean);
    byTitle.set(titleOf(from), [...(byTitle.get(titleOf(from)) ?? []), ...exported]);
  }
  byTitle.set('declarations', declared);
  return [...byTitle].map(([title, each]) => `- ${title}: ${each.map((name) => `\`${name}\``).join(', ')}`).join('\n');
}

/** `../platform/events/index.js` → `events`, `@outreach/http-api/fields` → `fields`, `@outreach/http-errors` → `errors` */
const titleOf = (from) =>
  from.startsWith('.') ? from.split('/').at(-2) : from.replace(/^@outreach\/(http-api\/|http-)?/, '');

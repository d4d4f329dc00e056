import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENROLLMENT_TRANSITIONS } from '../src/campaigns/enrollments/enrollment.entity.js';
import { MESSAGE_TRANSITIONS } from '../src/sending/message.entity.js';
import { WEBHOOK_TRANSITIONS } from '../src/webhooks/webhook.entity.js';

const ROOT = join(import.meta.dirname, '..');

describe('the diagrams of docs/architecture.md', () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
  });

  /** The arrows of the first diagram below a heading, without the one from the beginning. */
  function arrows(heading: string): string[] {
    const [, diagram = ''] = /```mermaid\n([^]*?)```/.exec(page.slice(page.indexOf(`\n${heading}\n`))) ?? [];
    return diagram
      .split('\n')
      .flatMap((line) => {
        const [, from = '', to = ''] = /^ {2}(.+?) --> (.+?)(?: : .*)?$/.exec(line) ?? [];
        return from.split(' & ').flatMap((each) => to.split(' & ').map((other) => `${each} --> ${other}`));
      })
      .filter((arrow) => arrow !== ' --> ' && !arrow.startsWith('[*]'))
      .sort();
  }
  const arrowsOf = (table: Readonly<Record<string, readonly string[]>>): string[] =>
    Object.entries(table)
      .flatMap(([from, targets]) => targets.map((to) => `${from} --> ${to}`))
      .sort();

  it.each([
    ['message', '### Message', MESSAGE_TRANSITIONS],
    ['enrollment', '### Enrollment', ENROLLMENT_TRANSITIONS],
    ['webhook', '### Webhook', WEBHOOK_TRANSITIONS],
  ])('show exactly the transitions of a %s', (_, heading, table) => {
    expect(arrows(heading)).toEqual(arrowsOf(table));
  });

  it('show exactly the declared imports of the modules', async () => {
    const configuration: string = pathToFileURL(join(ROOT, '.dependency-cruiser.mjs')).href;
    const { downwards } = (await import(configuration)) as { downwards: Record<string, string[]> };
    // Those that import no other module import the platform only.
    const declared = Object.entries(downwards).map(([name, to]) => [name, to.length > 0 ? to : ['platform']] as const);
    expect(arrows('## Decide what may import what')).toEqual(arrowsOf(Object.fromEntries(declared)));
  });
});

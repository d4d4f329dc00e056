import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Returns the text of a template file. `fields` are lines of its front matter; `null` omits a line. */
export function templateFile(fields: Record<string, string | null> = {}, body = '<p>Hello</p>'): string {
  return `---\n${lines({ name: 'A letter', category: 'other', subject: 'Hello', ...fields })}\n---\n${body}\n`;
}

/** Returns the text of a pack file. */
export function packFile(templates: readonly string[], fields: Record<string, string | null> = {}): string {
  return `${lines({ name: 'A pack', ...fields })}\ntemplates:\n${templates.map((slug) => `  - ${slug}\n`).join('')}`;
}

function lines(fields: Record<string, string | null>): string {
  const all = Object.entries({ slug: 'a-letter', description: 'What it is for', locale: 'en', ...fields });
  return all.flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`)).join('\n');
}

/** Temporary folders with catalogues, until `remove` is called. */
export class CatalogueFolders {
  readonly #made: string[] = [];

  /** Creates a folder with these files (path → text or bytes) and returns its path. */
  async with(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'outreach-catalogue-'));
    this.#made.push(folder);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }

  async remove(): Promise<void> {
    for (const folder of this.#made) await rm(folder, { recursive: true, force: true });
  }
}

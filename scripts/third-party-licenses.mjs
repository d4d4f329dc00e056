// The packages of others that are part of the build, with the texts of their licenses.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([-.](?!js$|ts$)[\w-]+)*$/i;
const LICENSE_IN_README = /^#+ *licen[cs]e\b.*\n([^]*?)(?=^#|(?![^]))/im;
const LINE = '-'.repeat(80);

/** The text of SPDX, for packages that name the license and contain no text. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * @param {import('esbuild').Metafile} metafile says what the bundle contains
 * @param {string} renderer the program of the API reference, which names the packages in it in its comments
 * @returns {string} each text once, below the packages that have it
 * @throws {Error} if a package has no license
 */
export function thirdPartyLicenses({ outputs }, renderer) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  const byText = new Map();
  for (const { name, text } of [...folders].map(licenseOf).sort((a, b) => a.name.localeCompare(b.name, 'en'))) {
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  byText.set(legalComments(renderer), ['What dist/docs/renderer.js.gz contains']);
  const parts = [...byText].map(([text, names]) => `${LINE}\n${names.join('\n')}\n\n${text}\n`);
  return `Outreach contains these packages of others.\n\n${parts.join('\n')}`;
}

function licenseOf(folder) {
  const { name, version, license, licenses, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const id = license ?? licenses?.map(({ type }) => type).join(' OR ');
  const text = ownText(folder) ?? (id === 'MIT' ? `Copyright (c) ${author?.name ?? author}\n\n${MIT}` : undefined);
  if (!text) throw new Error(`${folder} has no text of its license: ${id}`);
  return { name: id ? `${name} ${version} (${id})` : `${name} ${version}`, text };
}

/** @returns the texts in the files that are for it, or in the readme */
function ownText(folder) {
  const names = readdirSync(folder);
  const read = (name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
  const files = names.filter((name) => LICENSE_FILE.test(name)).map(read);
  if (files.length > 0) return files.join('\n\n');
  const [, text] =
    LICENSE_IN_README.exec(
      names
        .filter((name) => /^readme/i.test(name))
        .map(read)
        .join('\n'),
    ) ?? [];
  return text?.includes('Permission is hereby granted') ? text.trim() : undefined;
}

/** @returns the comments that a license requires */
const legalComments = (program) =>
  [...program.matchAll(/\/\*[!*][^]*?\*\//g)]
    .map(([comment]) => comment)
    .filter((comment) => comment.startsWith('/*!') || comment.includes('@license'))
    .join('\n\n');

// The program that shows the API reference in a browser: ADR 66.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

const PACKAGE = new URL('../../node_modules/@scalar/fastify-api-reference/', import.meta.url);

/** The package has the program as the value of this constant. */
const PROGRAM = /^var standalone_default = ("[^\n]*");$/m;

/**
 * @returns {string} the program, with its license
 * @throws {Error} if the package has it in another way
 */
export function rendererScript() {
  const [, literal] = PROGRAM.exec(readFileSync(new URL('dist/index.js', PACKAGE), 'utf8')) ?? [];
  if (!literal) throw new Error('@scalar/fastify-api-reference has no program for browsers where it was expected.');
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8'));
  const license = readFileSync(new URL('LICENSE', PACKAGE), 'utf8').trim();
  const program = runInNewContext(literal).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  return `/*! @scalar/api-reference ${version}\n\n${license} */\n${program}`;
}

/** What extension modules import. */
export const ENTRY_POINT = 'outreach/extension';

/** Packages of which a process must not have a second copy. The entry point exports what extensions need of them. */
const SHARED_PACKAGES = ['@nestjs/', 'typeorm', 'class-validator', 'class-transformer', 'bullmq', 'reflect-metadata'];

/** Everything of the service is in this folder. */
const SERVICE = new URL('../../..', import.meta.url).href;

/** Whether a URL is that of a file of the service. */
export const isOfService = (url: string): boolean => url.startsWith(SERVICE);

const inText = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** @returns the URL of a module with these exports of the entry point of this process */
export const sharedModule = (names: readonly string[]): string =>
  inText(
    `const shared = globalThis[Symbol.for('${ENTRY_POINT}')];\n` + `export const { ${names.join(', ')} } = shared;\n`,
  );

/**
 * @param shared the URL to which the entry point leads
 * @returns the URL of a module with a hook for imports
 */
export const hookModule = (shared: string): string =>
  inText(`
const shared = ${JSON.stringify(shared)};
const packages = ${JSON.stringify(SHARED_PACKAGES)};
const isShared = (specifier) => packages.some((name) =>
  specifier === name || specifier.startsWith(name.endsWith('/') ? name : name + '/'));
export function resolve(specifier, context, next) {
  if (specifier === '${ENTRY_POINT}') return { url: shared, shortCircuit: true };
  if (/^outreach(\\/|$)/.test(specifier)) {
    throw new Error(specifier + ' cannot be imported: extension modules import ${ENTRY_POINT}');
  }
  if (isShared(specifier) && !isService(context.parentURL)) {
    throw new Error(specifier + ' cannot be imported: import the same names from ${ENTRY_POINT}');
  }
  return next(specifier, context);
}
const service = ${JSON.stringify(SERVICE)};
const isService = (parent) => !parent || parent.startsWith(service);
`);

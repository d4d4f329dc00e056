// Module hooks of Node beside those of `native-modules`: they load mutated sources, and a spec once for each `?mutant=` query.
const withoutQuery = (url) => url?.replace(/\?mutant=\d+$/, '');

/** The URL of each mutated source, by the URL of the original. */
let mutated = {};

/** @type {import('node:module').InitializeHook} */
export async function initialize(data) {
  mutated = data;
}

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  return nextResolve(specifier, { ...context, parentURL: withoutQuery(context.parentURL) });
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const original = withoutQuery(url);
  return nextLoad(mutated[original] ?? original, context);
}

/**
 * The built package, which `npm run test:typescript-client` names. It is loaded without types, because it is built after
 * this code is checked; `clients/typescript/test/types.ts` checks the types.
 */
export const loadClient = async (): Promise<any> => import(process.env.TYPESCRIPT_CLIENT ?? '');

/** Reads an iteration to its end. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

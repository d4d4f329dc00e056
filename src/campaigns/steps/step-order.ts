/** The order of a campaign's steps. Positions count from 1. */

/** Where something goes among `length` others: at `position`, where there is no such place last. */
export const insertPosition = (length: number, position: number | null | undefined): number =>
  Math.min(position ?? length + 1, length + 1);

/** `items` with `item` at `position`; those from there on move up. */
export const insertAt = <T>(items: readonly T[], item: T, position: number): T[] => [
  ...items.slice(0, position - 1),
  item,
  ...items.slice(position - 1),
];

/** The step after the one with this ID. Without an ID the first is meant, so it is the second. */
export function stepAfter<T extends { readonly id: number }>(steps: readonly T[], id: number | null): T | undefined {
  const index = id === null ? 0 : steps.findIndex((step) => step.id === id);
  return steps[index + 1];
}

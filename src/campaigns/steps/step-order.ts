/** The order of a campaign's steps. Positions count from 1. */

/** The position at which an item is inserted into a list of `length` items: `position`, or the end. */
export const insertPosition = (length: number, position: number | null | undefined): number =>
  Math.min(position ?? length + 1, length + 1);

export const insertAt = <T>(items: readonly T[], item: T, position: number): T[] => [
  ...items.slice(0, position - 1),
  item,
  ...items.slice(position - 1),
];

/**
 * The step after the one with this ID; undefined after the last one. If the ID is null, the current step is the first
 * one.
 */
export function stepAfter<T extends { readonly id: number }>(steps: readonly T[], id: number | null): T | undefined {
  const index = id === null ? 0 : steps.findIndex((step) => step.id === id);
  return steps[index + 1];
}

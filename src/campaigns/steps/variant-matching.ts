/** A variant of the input. The ID is that of a stored variant, if the client has read it. */
interface NamedVariant {
  readonly id?: number | null;
  readonly name: string;
}

/**
 * Finds the stored variant that each variant of an input replaces, so that it keeps its ID and its counts: that with the same
 * ID, or else the first other one with the same name.
 * @returns IDs in the order of the input; null for a variant that is new
 */
export function matchVariants(
  stored: readonly { readonly id: number; readonly name: string }[],
  input: readonly NamedVariant[],
): (number | null)[] {
  const left = new Map(stored.map(({ id, name }) => [id, name]));
  const byId = input.map(({ id }) => (id != null && left.delete(id) ? id : null));
  return input.map(({ name }, index) => {
    const matched = byId[index] ?? [...left].find(([, other]) => other === name)?.[0] ?? null;
    if (matched !== null) left.delete(matched);
    return matched;
  });
}

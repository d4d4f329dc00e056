import type { Keyring } from '../../platform/crypto/index.js';
import { type RotatedColumn, sum } from './key-rotation.js';

/** What is still encrypted or signed with a key, and so whether it may be removed from `ENCRYPTION_KEY`. */
export interface KeyReport {
  /** Its position in `ENCRYPTION_KEY`, from 1. */
  readonly position: number;
  readonly id: string;
  /** How many stored values it has encrypted. */
  readonly values: number;
  readonly is_first: boolean;
  readonly is_removable: boolean;
  /** What still needs it, if it is not the first one. */
  readonly needed_for: readonly ('values' | 'links')[];
}

/**
 * Returns a report for each configured key. Nothing stored tells with which key the links in mail were signed, so any
 * older key may have signed some.
 * @param hasSentMail whether there are links in mail that was sent
 */
export function reportKeys(
  keyring: Keyring,
  columns: readonly Pick<RotatedColumn, 'uses'>[],
  hasSentMail: boolean,
): KeyReport[] {
  const [first] = keyring.ids;
  return keyring.ids.map((id, index) => {
    const values = sum(columns.map(({ uses }) => uses.get(id) ?? 0));
    const isFirst = index === 0;
    // A key that is in the list twice does nothing the second time.
    const isRepeated = keyring.ids.indexOf(id) < index || (!isFirst && id === first);
    const neededFor = [...(values > 0 ? (['values'] as const) : []), ...(hasSentMail ? (['links'] as const) : [])];
    const needed = isFirst || isRepeated ? [] : neededFor;
    const isRemovable = !isFirst && needed.length === 0;
    return { position: index + 1, id, values, is_first: isFirst, is_removable: isRemovable, needed_for: needed };
  });
}

/** @returns what people read about a key, in one line */
export function describeKey({ is_first, is_removable, needed_for, values }: KeyReport): string {
  if (is_first) return 'encrypts and signs everything new';
  if (is_removable) return 'can be removed from ENCRYPTION_KEY now';
  if (needed_for.includes('values')) return `still needed: ${values} values are encrypted with it`;
  return 'still needed: links in mail that was sent with it, or links to unsubscribe stop working';
}

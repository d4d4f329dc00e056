import { matchVariants } from './variant-matching.js';

const stored = [
  { id: 7, name: 'A' },
  { id: 8, name: 'B' },
  { id: 9, name: 'B' },
];

describe('matchVariants', () => {
  it('matches by ID first, then by name, each stored variant once', () => {
    expect(matchVariants(stored, [{ name: 'B' }, { id: 8, name: 'Renamed' }, { name: 'B' }, { name: 'A' }])).toEqual([
      9,
      8,
      null,
      7,
    ]);
  });

  it('ignores IDs of variants of other steps, and those that are named twice', () => {
    expect(matchVariants(stored, [{ id: 99, name: 'A' }])).toEqual([7]);
    expect(
      matchVariants(stored, [
        { id: 7, name: 'x' },
        { id: 7, name: 'y' },
        { id: null, name: 'z' },
      ]),
    ).toEqual([7, null, null]);
  });
});

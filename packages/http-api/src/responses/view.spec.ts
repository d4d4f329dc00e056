import { arrayView, is, view } from './view.js';

const ownerView = view(
  'Owner',
  { name: is.string, joined_at: is.timestamp },
  ({ name }: { name: string; joined_at: string }) => ({
    name: name.toUpperCase(),
  }),
);

const petView = view('Pet', {
  id: is.id,
  born_at: is.nullable(is.timestamp),
  names: is.arrayOf(is.string),
  owner: is.nullable(is.view(ownerView)),
  former_owners: is.arrayOf(is.view(ownerView)),
});

const OWNER = { name: 'Ann', joined_at: '2026-01-02T03:04:05+00:00', secret: 'x' };
const SHOWN_OWNER = { name: 'ANN', joined_at: '2026-01-02T03:04:05.000Z' };
const PET = { id: 1, born_at: new Date(0), names: ['Rex'], owner: OWNER, former_owners: [OWNER], secret: 'x' };

describe('view', () => {
  it('shows the fields of its shape, in their order: instants as text, and records by their own views', () => {
    const shown = petView.toJson(PET);
    expect(Object.entries(shown)).toEqual([
      ['id', 1],
      ['born_at', '1970-01-01T00:00:00.000Z'],
      ['names', ['Rex']],
      ['owner', SHOWN_OWNER],
      ['former_owners', [SHOWN_OWNER]],
    ]);
    expect(arrayView(petView).toJson([PET])).toEqual([shown]);
  });

  it('shows null for an instant and a record that are null', () => {
    expect(petView.toJson({ ...PET, born_at: null, owner: null })).toMatchObject({ born_at: null, owner: null });
  });

  it('shows a field that is computed as it is, and an optional one only if it is computed', () => {
    const show = (isShown: boolean): object =>
      view(
        'Key',
        { id: is.id, secret: is.string, used_at: is.timestamp },
        ({ secret }: { id: number; secret: string }) => ({ used_at: 'never', ...(isShown && { secret }) }),
        ['secret'],
      ).toJson({ id: 1, secret: 'hidden' });
    expect(JSON.stringify(show(true))).toBe('{"id":1,"secret":"hidden","used_at":"never"}');
    expect(JSON.stringify(show(false))).toBe('{"id":1,"used_at":"never"}');
  });
});

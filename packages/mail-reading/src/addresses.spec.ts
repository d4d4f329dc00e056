import { addressesIn, recipientsOf } from './addresses.js';
import { HeaderFields } from './header-fields.js';

describe('the addresses in a header', () => {
  it.each([
    ['Ann <Ann@Acme.Example>, bob@acme.example', ['ann@acme.example', 'bob@acme.example']],
    ['Ann <x@müller.example>', ['x@xn--mller-kva.example']],
    ['X@MÜLLER.example', ['x@xn--mller-kva.example']],
    ['x@xn--mller-kva.example', ['x@xn--mller-kva.example']],
    ['a@例え。テスト', ['a@xn--r8jz45g.xn--zckzah']],
    ['undisclosed-recipients:;', []],
  ])('of %j are as they are stored: %j', (field, expected) => {
    expect(addressesIn(field)).toEqual(expected);
  });

  it('are those of all recipients, each once', () => {
    const header = HeaderFields.parse(
      'To: x@müller.example\r\nCc: ann@acme.example\r\nDelivered-To: x@xn--mller-kva.example',
    );
    expect(recipientsOf(header)).toEqual(['x@xn--mller-kva.example', 'ann@acme.example']);
  });
});

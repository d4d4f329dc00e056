import { decodedWords } from './encoded-words.js';

describe('decodedWords', () => {
  it.each([
    ['Hello', 'Hello'],
    ['=?utf-8?Q?Non_remis_=3A_caf=C3=A9?=', 'Non remis : café'],
    ['=?UTF-8?B?VW5kZWxpdmVyYWJsZTog?= =?utf-8?q?caf=C3=A9?= and more', 'Undeliverable: café and more'],
    ['=?iso-8859-15*fr?Q?=A4?=', '€'],
    ['=?iso-2022-jp?B?GyRCJSglaSE8GyhC?=', 'エラー'],
    ['=?x-unknown?Q?a?=', '=?x-unknown?Q?a?='],
    ['=?utf-8?Q?not closed', '=?utf-8?Q?not closed'],
  ])('reads "%s" as "%s"', (value, decoded) => {
    expect(decodedWords(value)).toBe(decoded);
  });
});

import { mentions, withoutMentions } from './mentions.js';

const PERSON = {
  contact_id: 1,
  email: 'ann@x.example',
  former_emails: ['a.maiden+b@y.example'],
  texts: ['ann@x.example', 'a.maiden+b@y.example', '+49 170 55', 'https://linkedin.com/in/ann', 'crm-1234'],
  names: ['änn', "o'smith-lee"],
};
const erased = (text: string, withNames = true) => withoutMentions(PERSON, text, { withNames });

describe('mentions of a person', () => {
  it.each([
    ['Write to ANN@X.example.', 'Write to erased.'],
    ['<ann@x.example>,mailto:ann@x.example?subject=x', '<erased>,mailto:erased?subject=x'],
    ['A.Maiden+B@y.example or +49 170 55', 'erased or erased'],
    ['https://LinkedIn.com/in/Ann/ crm-1234;', 'erased/ erased;'],
    ["Änn O'Smith-Lee\nÄNN\n  o'smith-lee", 'erased\nerased'],
    ["O'Smith-Lee, Änn and Änn M. van O'Smith-Lee", 'erased and erased'],
  ])('are replaced in %j', (text, expected) => {
    expect(erased(text)).toBe(expected);
    expect(mentions(PERSON, text)).toBe(true);
  });

  it.each([
    'joann@x.example, mary.ann@x.example, mary-ann@x.example',
    'ann@x.example.com and ann@x.examples',
    '+49 170 5512, crm-12345, https://linkedin.com/in/ann-lee',
    "Änne O'Smith-Lee; Joänn Jones",
  ])('are not longer values: %j', (text) => {
    expect(erased(text)).toBe(text);
    expect(mentions(PERSON, text)).toBe(false);
  });

  it('are names only together, and stay if another person has the same', () => {
    expect(erased('Änn, please ask Mr Jones')).toBe('Änn, please ask Mr Jones');
    expect(erased("Änn O'Smith-Lee, ann@x.example", false)).toBe("Änn O'Smith-Lee, erased");
    expect(mentions(PERSON, 'O’Smith-Lee is not Änn')).toBe(false);
    expect(mentions(PERSON, "o'smith-lee;x;ÄNN;")).toBe(true);
  });
});

import { candidateNames } from './unknown-variables.js';

describe('the unknown variables of templates', () => {
  it('are looked for in one template at a time', () => {
    const templates = [
      { subject: '{{ first_name }} {{ plan }}', body: '{{ custom_fields.size }} {{ plan }} {{ unsubscribe_url }}' },
      { subject: 'Hello', body: '<p>Hello</p>' },
    ];
    const work = candidateNames(templates);
    expect(templates.map(() => work.next())).toEqual(Array(2).fill({ done: false, value: undefined }));
    expect(work.next().value).toEqual([['plan', 'custom_fields.size'], []]);
  });
});

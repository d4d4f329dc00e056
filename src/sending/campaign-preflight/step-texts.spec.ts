import type { StepRecord } from '../../campaigns/index.js';
import { StepTexts } from './step-texts.js';

const variant = (id: number, weight: number, fields: { subject?: string; body?: string }) => ({
  ...{ id, name: 'A', weight, subject: null, body: null },
  ...fields,
});
const step = (fields: Partial<StepRecord> = {}): StepRecord => ({
  ...{ id: 1, workspace_id: 1, campaign_id: 1, position: 1, template_id: null, subject: 'Hello', body: '<p>Hello</p>' },
  ...{ delay_minutes: 0, same_thread: false, only_if: null, required_variables: [], variants: [] },
  ...{ created_at: new Date(0), updated_at: new Date(0) },
  ...fields,
});

describe('the texts of steps', () => {
  it('are examined one at a time, in two parts, each text of a step and of its variants that can be drawn', () => {
    const texts = new StepTexts();
    const variants = [variant(1, 1, { body: '<p>{{ city }}</p>' }), variant(2, 2, {}), variant(3, 0, {})];
    expect([...texts.examine([step(), step({ variants }), step({ body: '{{ company }}' })])]).toHaveLength(8);
    expect(texts.neededVariables).toEqual(['city', 'company']);
  });

  it('are counted for all parts in which they are examined', () => {
    const texts = new StepTexts();
    const long = 'x'.repeat(61);
    const steps = [
      step({ subject: long, variants: [variant(1, 1, {}), variant(2, 1, { body: '{{ unsubscribe_url }}' })] }),
      step({ body: '<a href="{{ unsubscribe_url }}">{{ city }}</a>', required_variables: ['company', 'city'] }),
    ];
    for (const each of steps) Array.from(texts.examine([each]));
    const counts = (unsubscribe_footer: boolean) => texts.counts({ unsubscribe_footer, track_opens: false }, true);
    const others = { no_postal_address: 2, foreign_merge_tags: 0, long_subject: 2, mostly_image: 0 };
    expect(counts(false)).toEqual({ no_unsubscribe_link: 1, ...others });
    expect(counts(true)).toEqual({ no_unsubscribe_link: 0, ...others });
    expect(texts.neededVariables).toEqual(['city', 'company']);
  });

  it.each([
    ['<p>Hello</p>', true, true, 0],
    ['<p>Hello</p>', false, true, 1],
    ['<a href="{{ unsubscribe_url }}">No</a>', true, true, 1],
    ['<a href="{{ unsubscribe_url }}">No</a>{{sender_address}}', true, true, 0],
    ['{{ sender_address }}', false, true, 0],
    ['{{ sender_address }}', false, false, 1],
    ['<p>Hello</p>', true, false, 1],
  ])(
    'with %s, a footer: %s and an address in the settings: %s lack it in %s steps',
    (body, footer, hasAddress, count) => {
      const texts = new StepTexts();
      Array.from(texts.examine([step({ body })]));
      expect(texts.counts({ unsubscribe_footer: footer, track_opens: false }, hasAddress).no_postal_address).toBe(
        count,
      );
    },
  );

  it.each([
    ['<p>Hello</p>', true, 1],
    ['<p>Hello</p>', false, 0],
    ['<p>Hello <IMG src="https://a.example/logo.png"></p>', false, 1],
    [`<p>${'x'.repeat(2_000)}</p>`, true, 0],
    [`<img src="https://a.example/logo.png">${'x'.repeat(2_000)}`, true, 0],
  ])('are taken for images by their length and their images: %.50s, opens tracked: %s', (body, track_opens, count) => {
    const texts = new StepTexts();
    Array.from(texts.examine([step({ body })]));
    expect(texts.counts({ unsubscribe_footer: true, track_opens }, true).mostly_image).toBe(count);
  });

  it('name the first ten merge tags of other services with their steps', () => {
    const texts = new StepTexts();
    const many = Array.from({ length: 20 }, (_, index) => `*|TAG${index}|*`).join(' ');
    const variants = [variant(1, 1, { subject: 'Hi [First Name]' }), variant(2, 0, { body: '%CITY%' })];
    const steps = [step({ position: 1, variants }), step({ position: 2 }), step({ position: 3, body: many })];
    Array.from(texts.examine(steps));
    const { foreign_merge_tags: count } = texts.counts({ unsubscribe_footer: true, track_opens: false }, true);
    expect(count).toBe(2);
    expect(texts.foreignTags).toMatch(
      /^Found: "\[First Name\]" in step 1, "\*\|TAG0\|\*" in step 3, .*TAG8\|\*" in step 3\.$/,
    );
  });

  it('need at most 10,000 variables, which are more than a contact can have', () => {
    const texts = new StepTexts();
    const bodyOf = (part: number) => Array.from({ length: 500 }, (_, index) => `{{ v${part}_${index} }}`).join('');
    Array.from(texts.examine(Array.from({ length: 21 }, (_, part) => step({ body: bodyOf(part) }))));
    expect(texts.neededVariables).toHaveLength(10_000);
  });
});

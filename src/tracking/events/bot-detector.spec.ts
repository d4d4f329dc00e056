import { type TrackedRequest, botReasonOf, detectBots } from './bot-detector.js';

/** `12.5` is the picture 12.5 seconds after the start; `[12.5, 3]` the third link. */
type Step = number | readonly [seconds: number, link: number];

const request = (steps: Step): TrackedRequest => {
  const [seconds, link] = typeof steps === 'number' ? [steps, null] : steps;
  return { link, created_at: new Date(1_700_000_000_000 + seconds * 1000) };
};

/** What each hit is taken for, in order. */
const reasons = (...steps: Step[]) => {
  const requests = steps.map(request);
  const detections = detectBots(requests);
  return requests.map((request) => botReasonOf(request, detections) ?? '-');
};

describe('the signs of a scanner', () => {
  it('are none in reading, however fast', () => {
    expect(reasons(0)).toEqual(['-']);
    expect(reasons(0, [0, 1], [0, 1], [0, 1], [0, 1])).toEqual(['-', '-', '-', '-', '-']);
    expect(reasons(0, [0.1, 1], [0.2, 2])).toEqual(['-', '-', '-']);
    expect(reasons([0, 1], [2, 2], [4, 3], [6, 4], [8, 5])).toEqual(['-', '-', '-', '-', '-']);
  });

  it('are many different links at once', () => {
    expect(reasons([0, 1], [0, 2], [0, 3])).toEqual(['many_links', 'many_links', 'many_links']);
    expect(reasons([0, 1], [1.5, 2], [3, 3])).toEqual(['many_links', 'many_links', 'many_links']);
    expect(reasons([0, 1], [1.5, 2], [3.1, 3])).toEqual(['-', '-', '-']);
  });

  it('are a hidden link, followed', () => {
    expect(reasons([0, 0])).toEqual(['hidden_link']);
    expect(reasons([0, 1], [0.5, 0])).toEqual(['hidden_link', 'hidden_link']);
  });

  it('tell of everything around their time, of the picture too, and of nothing else', () => {
    expect(reasons(0, 7, [10, 0], 40, 40.1, [50, 1])).toEqual([
      '-',
      'hidden_link',
      'hidden_link',
      'hidden_link',
      '-',
      '-',
    ]);
    expect(reasons(0, [9, 1], [9, 2], [10, 3], [39, 1], [41, 1])).toEqual([
      '-',
      'many_links',
      'many_links',
      'many_links',
      'many_links',
      '-',
    ]);
  });

  it('are found among thousands of hits', () => {
    const many = Array.from({ length: 2000 }, (_, index): Step => [index / 1000, 1 + (index % 2)]);
    expect(reasons(...many).every((reason) => reason === '-')).toBe(true);
    expect(reasons(...many, [2, 3]).every((reason) => reason === 'many_links')).toBe(true);
  });
});

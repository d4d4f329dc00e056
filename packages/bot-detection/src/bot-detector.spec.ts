import { botReasonOf, detectBots, type TrackedRequest } from './bot-detector.js';

/** `12.5` is a request for the pixel 12.5 seconds after the start, `[12.5, 3]` one for the third link. */
type Step = number | readonly [seconds: number, link: number];

const request = (steps: Step): TrackedRequest => {
  const [seconds, link] = typeof steps === 'number' ? [steps, null] : steps;
  return { link, created_at: new Date(1_700_000_000_000 + seconds * 1000) };
};

/** Returns the bot reason of each request, `-` for none. */
const reasons = (...steps: Step[]) => {
  const requests = steps.map(request);
  const detections = detectBots(requests);
  return requests.map((request) => botReasonOf(request, detections) ?? '-');
};

describe('botReasonOf', () => {
  it('returns none for a fast reader', () => {
    expect(reasons(0)).toEqual(['-']);
    expect(reasons(0, [0, 1], [0, 1], [0, 1], [0, 1])).toEqual(['-', '-', '-', '-', '-']);
    expect(reasons(0, [0.1, 1], [0.2, 2])).toEqual(['-', '-', '-']);
    expect(reasons([0, 1], [2, 2], [4, 3], [6, 4], [8, 5])).toEqual(['-', '-', '-', '-', '-']);
  });

  it('returns many_links for three different links within three seconds', () => {
    expect(reasons([0, 1], [0, 2], [0, 3])).toEqual(['many_links', 'many_links', 'many_links']);
    expect(reasons([0, 1], [1.5, 2], [3, 3])).toEqual(['many_links', 'many_links', 'many_links']);
    expect(reasons([0, 1], [1.5, 2], [3.1, 3])).toEqual(['-', '-', '-']);
  });

  it('returns hidden_link if the hidden link is requested', () => {
    expect(reasons([0, 0])).toEqual(['hidden_link']);
    expect(reasons([0, 1], [0.5, 0])).toEqual(['hidden_link', 'hidden_link']);
  });

  it('applies to all requests from 3 seconds before to 30 seconds after a detection, including the pixel', () => {
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

  it('detects a bot among thousands of requests', () => {
    const many = Array.from({ length: 2000 }, (_, index): Step => [index / 1000, 1 + (index % 2)]);
    expect(reasons(...many).every((reason) => reason === '-')).toBe(true);
    expect(reasons(...many, [2, 3]).every((reason) => reason === 'many_links')).toBe(true);
  });
});

import fc from 'fast-check';
import { WorkspaceActivity } from './index.js';

const RECENT_MS = 100;

describe('WorkspaceActivity', () => {
  let activity: WorkspaceActivity;
  beforeEach(() => {
    jest.useFakeTimers();
    activity = new WorkspaceActivity();
  });
  afterEach(() => jest.useRealTimers());

  const hasOthers = (workspaceId: number): boolean => activity.hasOthers(workspaceId, RECENT_MS);

  it('does not count the work of the workspace itself', () => {
    expect(hasOthers(1)).toBe(false);
    const end = activity.begin(1);
    expect(hasOthers(1)).toBe(false);
    end();
    expect(hasOthers(1)).toBe(false);
  });

  it('counts the work of another workspace while it is in progress, and for a time after its end', () => {
    const ends = [activity.begin(2), activity.begin(2)];
    for (const end of ends) {
      jest.advanceTimersByTime(10 * RECENT_MS);
      expect(hasOthers(1)).toBe(true);
      end();
    }
    jest.advanceTimersByTime(RECENT_MS);
    expect(hasOthers(1)).toBe(true);
    jest.advanceTimersByTime(1);
    expect(hasOthers(1)).toBe(false);
  });

  it('finds recent work of another workspace, whatever has ended since', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(60)), { maxLength: 20 }), (works) => {
        activity = new WorkspaceActivity();
        const ended = works.map(([workspaceId, pauseMs]) => {
          activity.begin(workspaceId)();
          const endedAt = performance.now();
          jest.advanceTimersByTime(pauseMs);
          return { workspaceId, endedAt };
        });
        for (const own of [1, 2, 3, 4]) {
          const isRecent = ended.some(
            ({ workspaceId, endedAt }) => workspaceId !== own && performance.now() - endedAt <= RECENT_MS,
          );
          expect(hasOthers(own)).toBe(isRecent);
        }
      }),
    );
  });
});

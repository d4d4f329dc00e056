/** Messages of one step, to contacts of one time zone, that are due at the same time. */
export interface DueGroup {
  /** The index of the step, from 0. */
  readonly step: number;
  /** When they are sent next, as far as is known. */
  readonly due_at: Date;
  /** When they were due first: of those that can be sent at the same time, the ones that have waited longest go first. */
  readonly since: Date;
  /** Null unless the schedule depends on the zones of contacts. */
  readonly timezone: string | null;
  readonly count: number;
}

/** Groups in the order in which they are sent. */
export class DueGroups {
  private readonly groups = new Map<string, DueGroup>();
  /** Of the groups, the last one first. */
  private readonly keys: { readonly key: string; readonly at: number; readonly since: number }[] = [];

  constructor(groups: readonly DueGroup[]) {
    for (const group of groups) this.add(group);
  }

  /** Adds a group, or its messages to one that is due at the same time. */
  add(group: DueGroup): void {
    if (group.count === 0) return;
    const at = group.due_at.getTime();
    const since = group.since.getTime();
    const key = `${at} ${since} ${group.step} ${group.timezone ?? ''}`;
    const existing = this.groups.get(key);
    this.groups.set(key, existing ? { ...group, count: existing.count + group.count } : group);
    if (!existing) this.keys.splice(this.indexOf(at, since), 0, { key, at, since });
  }

  /** Removes and returns the group that is due first. */
  takeFirst(): DueGroup | undefined {
    const { key } = this.keys.pop() ?? {};
    if (key === undefined) return undefined;
    const group = this.groups.get(key);
    this.groups.delete(key);
    return group;
  }

  /** The index of the first group that comes before one with these times: one that is added later comes after its equals. */
  private indexOf(at: number, since: number): number {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.keys[middle];
      if (other && (other.at > at || (other.at === at && other.since > since))) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

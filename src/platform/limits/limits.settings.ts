import { InvalidSetting, setting } from '@outreach/settings';

/** How many records of each kind a workspace can have (API v1, "Limits"). */
export const DEFAULT_LIMITS = {
  tokens: 50,
  webhooks: 50,
  email_accounts: 1000,
  campaigns: 10_000,
  steps_per_campaign: 100,
  templates: 5000,
  segments: 1000,
  lists: 100_000,
  tags: 100_000,
  companies: 100_000,
  contacts: 5_000_000,
  blacklist_entries_per_day: 10_000,
};

/** The name of a limit. */
export type LimitName = keyof typeof DEFAULT_LIMITS;

/** A value for each limit. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The names of all limits. */
export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS).filter(isLimitName);

const MAX_VALUE = 1_000_000_000;

/** Limits as `name=number`, separated by commas. Limits without a value keep their default. @throws InvalidSetting */
export function parseLimits(text: string): Limits {
  const wanted = new Map<LimitName, number>();
  for (const item of text.split(',')) {
    const [name = '', value = '', ...rest] = item.split('=').map((part) => part.trim());
    if (!isLimitName(name)) {
      throw new InvalidSetting(`has the limits ${LIMIT_NAMES.join(', ')}; ${JSON.stringify(name)} is none of them`);
    }
    const number = /^\d{1,10}$/.test(value) && rest.length === 0 ? Number(value) : NaN;
    if (!(number <= MAX_VALUE)) {
      throw new InvalidSetting(`must be like webhooks=50,tokens=50, with whole numbers from 0 to ${MAX_VALUE}`);
    }
    if (wanted.has(name)) throw new InvalidSetting(`contains ${name} twice`);
    wanted.set(name, number);
  }
  return Object.freeze({ ...DEFAULT_LIMITS, ...Object.fromEntries(wanted) });
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(DEFAULT_LIMITS, name);
}

export const limitsSettings = {
  WORKSPACE_LIMITS: setting<Limits>(
    'How many records a workspace can have, e.g. `webhooks=100,tokens=20`. Limits that are not named keep their default.',
    parseLimits,
    DEFAULT_LIMITS,
    Object.entries(DEFAULT_LIMITS)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
  ),
};

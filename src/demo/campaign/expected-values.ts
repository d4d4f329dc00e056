/** What `examples/contacts.csv` holds, as `examples/README.md` describes it. */
export const EXPECTED_IMPORT = {
  total: 2000,
  imported: 1963,
  skipped: 25,
  failed: 12,
  /** The rows that are refused, counted from the header, which is row 1. */
  failed_rows: [86, 115, 253, 342, 431, 490, 555, 945, 1012, 1212, 1276, 2001],
  /** Contacts whose address nobody has. */
  bouncing: 40,
  /** The first row. */
  first: {
    email: 'loic.barbier@fromagerie-lacroix.example',
    full_name: 'Loïc Barbier',
    industry: 'Food',
    employees: 2,
  },
} as const;

/** The contacts who unsubscribe, and those who are on the blacklist from the start. */
export const EXPECTED_RECIPIENTS = { unsubscribing: 12, blacklisted: 5 } as const;

const firstTouches = EXPECTED_IMPORT.imported - EXPECTED_IMPORT.bouncing - EXPECTED_RECIPIENTS.blacklisted;
const followUps = firstTouches - EXPECTED_RECIPIENTS.unsubscribing;

/** Messages that the mail server must have accepted in the end. */
export const EXPECTED_MESSAGES = {
  first_touches: firstTouches,
  follow_ups: followUps,
  all: firstTouches + followUps,
} as const;

/** Nobody has an address of this domain. */
export const isBouncing = (address: string): boolean => address.endsWith('@bounces.example');

/** The content of `examples/contacts.csv`, see `examples/README.md`. */
export const EXPECTED_IMPORT = {
  total: 2000,
  imported: 1963,
  skipped: 25,
  failed: 12,
  /** The rows that the import rejects. The header is row 1. */
  failed_rows: [86, 115, 253, 342, 431, 490, 555, 945, 1012, 1212, 1276, 2001],
  /** Contacts whose address does not exist. */
  bouncing: 40,
  /** The first row. */
  first: {
    email: 'loic.barbier@fromagerie-lacroix.example',
    full_name: 'Loïc Barbier',
    industry: 'Food',
    employees: 2,
  },
} as const;

/** The number of contacts who unsubscribe, and of those who are blacklisted before the campaign starts. */
export const EXPECTED_RECIPIENTS = { unsubscribing: 12, blacklisted: 5 } as const;

const firstTouches = EXPECTED_IMPORT.imported - EXPECTED_IMPORT.bouncing - EXPECTED_RECIPIENTS.blacklisted;
const followUps = firstTouches - EXPECTED_RECIPIENTS.unsubscribing;

/** The number of messages that the mail server accepts. */
export const EXPECTED_MESSAGES = {
  first_touches: firstTouches,
  follow_ups: followUps,
  all: firstTouches + followUps,
} as const;

/** Returns whether the mail server rejects this recipient with 550. */
export const isBouncing = (address: string): boolean => address.endsWith('@bounces.example');

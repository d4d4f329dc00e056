/** What this process was built from. */
export interface Build {
  readonly version: string;
  /** The commit of the sources; null if the build did not know it. */
  readonly commit: string | null;
}

/** `npm run build` writes it into the bundle. */
declare const OUTREACH_BUILD: Build | undefined;

/** The build of this process. Tests run the sources, which have none. */
export const BUILD: Build =
  typeof OUTREACH_BUILD === 'undefined' ? { version: 'development', commit: null } : OUTREACH_BUILD;

const SHOWN_DIGITS = 7;

/** @returns `1.0.0 (0a1b2c3)`, or `1.0.0` if the commit is not known */
export const describeBuild = ({ version, commit }: Build): string =>
  commit === null ? version : `${version} (${commit.slice(0, SHOWN_DIGITS)})`;

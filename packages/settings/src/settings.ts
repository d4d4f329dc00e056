/** One environment variable: how it is read, its default, and the sentence that documents it. */
export interface Setting<T> {
  readonly parse: (text: string) => T;
  /** The value if the variable is not set. */
  readonly fallback: T;
  /** The default as the documentation shows it; the fallback itself if absent. */
  readonly shown?: string;
  readonly meaning: string;
  /** The value may also be in a file, which `{name}_FILE` names. */
  readonly isSecret?: boolean;
}

/** Settings by the names of their environment variables. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The values of settings, under their names in lower case: `PORT` is `port`. */
export type ConfigOf<Declared extends object> = {
  readonly [Name in keyof Declared & string as Lowercase<Name>]: Declared[Name] extends Setting<infer T> ? T : never;
};

/**
 * Declares a setting, under the name of its environment variable.
 * @param shown the default as the documentation shows it, if it is not the fallback itself
 */
export const setting = <T>(meaning: string, parse: (text: string) => T, fallback: T, shown?: string): Setting<T> => ({
  meaning,
  parse,
  fallback,
  ...(shown === undefined ? {} : { shown }),
});

/** @returns a setting whose value is secret or contains a password: it may be in a file */
export const secret = <T>(declared: Setting<T>): Setting<T> => ({ ...declared, isSecret: true });

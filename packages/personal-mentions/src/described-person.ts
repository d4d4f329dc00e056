/** What identifies a person in texts, in lower case. */
export interface DescribedPerson {
  /** Texts that tell of the person wherever they occur, such as addresses. */
  readonly texts: readonly string[];
  /** First and last name: a text that has both tells of the person. Empty if one of them is missing. */
  readonly names: readonly string[];
}

/** A mail in parts. Header names are spelled as in the RFCs. */
export interface WrittenMail {
  readonly from: { readonly name: string; readonly email: string };
  readonly to: string;
  /** Without angle brackets. */
  readonly message_id: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Further headers, in ASCII. */
  readonly headers: Readonly<Record<string, string>>;
}

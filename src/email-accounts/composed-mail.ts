/** A composed email in parts, which every provider accepts. Header names are spelled as in the RFCs. */
export interface ComposedMail {
  readonly from: { readonly name: string; readonly email: string };
  readonly to: string;
  /** Without angle brackets. */
  readonly message_id: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The contact whose fields a test shows to another person. */
  readonly shown_contact_id?: number | undefined;
  /** Further headers, in ASCII. */
  readonly headers: Readonly<Record<string, string>>;
}

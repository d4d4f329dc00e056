const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML that is safe to send: every text in it is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** Writes HTML: ``html`<p>${name}</p>` ``. A text is escaped wherever it stands, a piece of HTML is not. */
export function html(strings: TemplateStringsArray, ...values: (string | Html)[]): Html {
  return new Html(
    strings.reduce((text, part, index) => {
      const value = values[index - 1] ?? '';
      return text + (value instanceof Html ? value.text : escape(value)) + part;
    }),
  );
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

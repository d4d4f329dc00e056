const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML in which every text is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** Returns HTML: ``html`<p>${name}</p>` ``. Strings are escaped; `Html` values, single or in an array, are not. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(strings.reduce((text, part, index) => text + toText(values[index - 1] ?? '') + part));
}

function toText(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escape(value);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

import { html, type Html, script } from '@outreach/html-pages';
import type { GalleryMessages } from './messages.en.js';

/**
 * Shows the buttons, which cannot work without it, and copies the text of the element that each names. A browser without
 * the asynchronous clipboard, which only secure origins have, copies a selection instead.
 */
export const COPY_SCRIPT = script(`
(() => {
  const status = document.getElementById('copy-status');
  const copySelection = (text) => {
    const field = document.createElement('textarea');
    field.value = text;
    field.setAttribute('readonly', '');
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copySelection(text);
    }
  };
  let clearing;
  for (const button of document.querySelectorAll('button[data-copies]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copies);
      const copied = await copy(source.textContent);
      button.focus();
      for (const each of document.querySelectorAll('[data-copied]')) delete each.dataset.copied;
      if (copied) button.dataset.copied = '';
      else source.closest('details')?.setAttribute('open', '');
      clearTimeout(clearing);
      status.textContent = '';
      setTimeout(() => {
        status.textContent = copied ? status.dataset.success + ': ' + button.textContent.trim() : status.dataset.failure;
      }, 50);
      clearing = setTimeout(() => {
        status.textContent = '';
        delete button.dataset.copied;
      }, 4000);
    });
  }
})();
`);

/** Returns a button that copies the text of an element. Without the script it stays hidden. */
export const copyButton = (id: string, text: string): Html =>
  html`<button type="button" class="copy" data-copies="${id}" hidden>${text}</button>`;

/** Returns the element in which the script reports, for screen readers too, what was copied. */
export const copyStatus = ({ copied, notCopied }: GalleryMessages): Html =>
  html`<p id="copy-status" role="status" data-success="${copied}" data-failure="${notCopied}"></p>`;

/** The command line that copies a record into a workspace, with its button. */
export const copyCommand = ({ copyCommand: button }: GalleryMessages, address: string): Html =>
  command('copy-command', button, `curl -X POST ${address} \\\n  -H "Authorization: Bearer $OUTREACH_TOKEN"`);

/** The command line that sets the brand of a workspace, with its button. */
export const brandCommand = ({ copySettings: button }: GalleryMessages, address: string): Html =>
  command(
    'brand-command',
    button,
    `curl -X PUT ${address} \\\n  -H "Authorization: Bearer $OUTREACH_TOKEN" \\\n  -H "Content-Type: application/json" \\\n` +
      `  -d '{ "brand_name": "Acme",\n        "brand_color": "#1a56c4",\n        "logo_url": "https://example.com/logo.png" }'`,
  );

const command = (id: string, button: string, line: string): Html =>
  html`<pre tabindex="0"><code id="${id}">${line}</code></pre>
    ${copyButton(id, button)}`;

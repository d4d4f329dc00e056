/** The CSS that all pages share: light and dark colours, text, and the outline of the focused element. */
export const THEME = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #4a5568; --paper: #ffffff; --ground: #f2f4f7; --line: #d9dee6; --edge: #7a8699; --act: #1a56c4; --on-act: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f5; --soft: #b6c0cd; --paper: #1d232c; --ground: #12161c; --line: #333c49; --edge: #76839a; --act: #8ab4ff; --on-act: #10182a }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
:focus-visible { outline: 0.1875rem solid var(--ink); outline-offset: 0.1875rem }
`;

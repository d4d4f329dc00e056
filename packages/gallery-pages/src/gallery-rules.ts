import { THEME } from '@outreach/html-pages';

const PAGE = `
:root { --shade: 0 0.0625rem 0.125rem rgb(16 24 40 / 0.06), 0 0.25rem 1rem rgb(16 24 40 / 0.05); --lift: 0 0.125rem 0.25rem rgb(16 24 40 / 0.08), 0 0.75rem 2rem rgb(16 24 40 / 0.12) }
@media (prefers-color-scheme: dark) { :root { --shade: none; --lift: 0 0.75rem 2rem rgb(0 0 0 / 0.45) } }
body { padding: 0 1.5rem 5rem; overflow-wrap: anywhere }
a { color: var(--act); text-underline-offset: 0.2em; text-decoration-thickness: 0.0625rem }
h1, h2, h3 { margin: 0; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance }
p, ul, ol, dl, dd { margin: 0 }
ul { padding: 0; list-style: none }
code, pre { font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.bar, main { max-width: 76rem; margin: 0 auto }
.bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1.5rem; padding: 1rem 0 }
.bar a { padding: 0.375rem 0; color: var(--soft); font-size: 0.9375rem; text-decoration: none }
.bar .home { color: var(--ink); font-weight: 650 }
.bar nav { display: flex; gap: 1.25rem }
.bar a:hover { color: var(--act) }
.bar [aria-current] { color: var(--ink); box-shadow: 0 0.125rem var(--act) }
.intro { max-width: 46rem; padding: 2.25rem 0 1.75rem }
.intro.narrow { padding: 1.25rem 0 1.75rem }
h1 { font-size: clamp(1.875rem, 4.5vw, 2.625rem); font-weight: 720; letter-spacing: -0.028em; line-height: 1.12 }
.narrow h1 { font-size: clamp(1.625rem, 3.6vw, 2.125rem) }
.lead { margin-top: 0.75rem; color: var(--soft); font-size: 1.0625rem; line-height: 1.55; text-wrap: pretty }
.narrow .foot { margin-top: 1rem }
.back { margin-bottom: 1rem; font-size: 0.9375rem }
.back a { text-decoration: none }
.back a:hover { text-decoration: underline }
.count { margin-left: 0.125rem; color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums }
section > .heading { display: grid; grid-template-columns: 1fr auto; gap: 0.25rem 1.5rem; padding: 2.75rem 0 1.125rem }
.heading h2 { font-size: 1.375rem; letter-spacing: -0.018em }
.heading p { grid-row: 2; color: var(--soft); font-size: 0.9375rem }
.heading a { grid-column: 2; grid-row: 1 / 3; align-self: end; font-size: 0.9375rem; font-weight: 600; text-decoration: none; white-space: nowrap }
.heading a:hover { text-decoration: underline }
.label, dt { color: var(--soft); font-size: 0.8125rem }
.visually-hidden { position: absolute; width: 0.0625rem; height: 0.0625rem; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
`;

const FILTERS = `
.filters { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.875rem }
.search { display: flex; flex-wrap: wrap; gap: 0.5rem; max-width: 46rem }
.search label { position: absolute; width: 0.0625rem; height: 0.0625rem; overflow: hidden; clip-path: inset(50%) }
.search input { flex: 1 1 12rem; min-width: 0; height: 3rem; padding: 0 1rem; border: 0.0625rem solid var(--edge); border-radius: 0.625rem; background: var(--paper); color: var(--ink); font: inherit }
.search input::placeholder { color: var(--soft); opacity: 1 }
button { height: 3rem; padding: 0 1.25rem; border: 0; border-radius: 0.625rem; background: var(--act); color: var(--on-act); font: inherit; font-weight: 600; cursor: pointer }
button:hover { filter: brightness(0.94) }
.filters nav ul { display: flex; flex-wrap: wrap; gap: 0.375rem }
.filters a { display: block; text-decoration: none }
.kinds { margin-top: 0.5rem; border-bottom: 0.0625rem solid var(--line) }
.filters .kinds ul { gap: 0 1.5rem }
.kinds a { padding: 0.5rem 0 0.625rem; color: var(--soft); font-size: 0.9375rem; font-weight: 550 }
.kinds a:hover { color: var(--act) }
.kinds [aria-current] { color: var(--ink); box-shadow: 0 0.125rem var(--act) }
.categories a { padding: 0.1875rem 0.75rem; border: 0.0625rem solid var(--line); border-radius: 1rem; background: var(--paper); color: var(--ink); font-size: 0.875rem }
.categories a:hover { border-color: var(--act); color: var(--act) }
.categories [aria-current], .categories [aria-current]:hover { border-color: var(--act); background: var(--act); color: var(--on-act) }
`;

const CARDS = `
.tiles { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1.75rem 1.25rem }
.cards { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.25rem }
.tile { position: relative; display: grid; grid-template-rows: auto auto 1fr; align-content: start; min-width: 0 }
.tile h3, .card h3 { font-size: 1rem; font-weight: 620; letter-spacing: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.tile h3 { grid-row: 2; margin-top: 0.75rem }
.tile .foot { grid-row: 3; margin-top: 0.25rem; align-self: start }
.tile h3 a, .card h3 a { color: inherit; text-decoration: none }
.tile h3 a::after, .card h3 a::after { content: ''; position: absolute; inset: 0; border-radius: 0.75rem }
.tile h3 a:focus-visible, .card h3 a:focus-visible { outline: none }
:is(.tile, .card):has(h3 a:focus-visible) { outline: 0.1875rem solid var(--ink); outline-offset: 0.25rem; border-radius: 0.75rem }
.shot { grid-row: 1; display: block; position: relative; overflow: hidden; aspect-ratio: 4 / 5; border: 0.0625rem solid var(--line); border-radius: 0.75rem; background: var(--paper); box-shadow: var(--shade); transition: box-shadow 0.15s, transform 0.15s }
.shot img { display: block; width: 100%; height: 100%; object-fit: cover; object-position: top }
.tile:hover .shot { box-shadow: var(--lift); transform: translateY(-0.125rem) }
.tile:hover h3, .card:hover h3 { color: var(--act) }
.live iframe { position: absolute; top: 0; left: 0; width: 222.22%; height: 222.22%; border: 0; transform: scale(0.45); transform-origin: 0 0; pointer-events: none }
.card { position: relative; display: flex; flex-direction: column; min-width: 0; padding: 1.125rem 1.25rem 1rem; border: 0.0625rem solid var(--line); border-radius: 0.75rem; background: var(--paper); box-shadow: var(--shade); transition: box-shadow 0.15s, transform 0.15s }
.card:hover { box-shadow: var(--lift); transform: translateY(-0.125rem) }
.paper { flex: 1; margin-top: 0.75rem; padding-top: 0.75rem; border-top: 0.0625rem solid var(--line); font-size: 0.9375rem; line-height: 1.5 }
.paper .subject { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; font-weight: 600 }
.paper .label { margin-right: 0.375rem; font-weight: 400 }
.excerpt { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 5; margin-top: 0.25rem; color: var(--soft); white-space: pre-line }
.about { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; margin-top: 0.375rem; color: var(--soft); font-size: 0.9375rem; line-height: 1.5 }
.pack ol { position: relative; z-index: 1; margin-top: 0.75rem; padding-left: 1.375rem; font-size: 0.9375rem }
.pack ol li { padding: 0.125rem 0 }
.pack ol li::marker { color: var(--soft); font-variant-numeric: tabular-nums }
.pack ol a { color: var(--ink); text-decoration-color: var(--line) }
.pack ol a:hover { color: var(--act); text-decoration-color: currentcolor }
.foot { display: flex; flex-wrap: wrap; gap: 0.125rem 0.75rem; align-items: center; color: var(--soft); font-size: 0.8125rem }
.card .foot { margin-top: auto; padding-top: 0.875rem }
.foot .downloads { margin-left: auto; font-variant-numeric: tabular-nums }
.badge { color: var(--act); font-weight: 600 }
.empty { margin-top: 2.5rem; padding: 2.5rem 1.5rem; border: 0.0625rem dashed var(--edge); border-radius: 0.75rem; text-align: center }
.empty h2 { font-size: 1.25rem }
.empty p { margin-top: 0.5rem; color: var(--soft) }
.empty .links { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 1.5rem }
.pages { display: flex; align-items: center; justify-content: center; gap: 1.5rem; padding-top: 2.5rem; color: var(--soft); font-size: 0.9375rem; font-variant-numeric: tabular-nums }
.pages a { padding: 0.375rem 0.875rem; border: 0.0625rem solid var(--line); border-radius: 0.5rem; background: var(--paper); text-decoration: none }
.pages a:hover { border-color: var(--act) }
`;

const MAILS = `
.beside { display: grid; gap: 2.5rem; align-items: start }
.mail { overflow: hidden; min-width: 0; border: 0.0625rem solid var(--line); border-radius: 0.75rem; background: var(--paper); box-shadow: var(--shade) }
.mail iframe { display: block; width: 100%; height: 44rem; border: 0; background: var(--paper) }
.mail iframe:focus-visible { outline-offset: -0.1875rem }
.mail .subject-line { padding: 0.875rem 1.25rem; border-bottom: 0.0625rem solid var(--line) }
.subject-line .label { margin-right: 0.625rem }
.subject-line strong { font-weight: 600 }
.widths { display: none; margin: 0; padding: 0.5rem 1.25rem; border: 0; border-bottom: 0.0625rem solid var(--line) }
.widths input { position: absolute; opacity: 0 }
.widths label { padding: 0.1875rem 0.75rem; border-radius: 0.5rem; color: var(--soft); font-size: 0.875rem; cursor: pointer }
.widths input:checked + label { background: var(--ground); color: var(--ink); font-weight: 600 }
.widths input:focus-visible + label { outline: 0.1875rem solid var(--ink) }
.screen { background: var(--ground) }
.mail:has(#phone:checked) iframe { width: 24.375rem; max-width: 100%; margin: 0 auto; border-inline: 0.0625rem solid var(--line) }
.under { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.75rem 1.25rem; border-top: 0.0625rem solid var(--line); color: var(--soft); font-size: 0.875rem }
.aside { display: grid; gap: 2.25rem; min-width: 0 }
.aside h2, .use h2 { font-size: 1.125rem }
.use p { margin-top: 0.375rem; color: var(--soft); font-size: 0.9375rem }
pre { margin: 0.75rem 0 0; padding: 0.75rem 0.875rem; border: 0.0625rem solid var(--line); border-radius: 0.5rem; background: var(--paper); white-space: pre-wrap; overflow-wrap: anywhere }
main > .use { max-width: 46rem }
.use > .copy { margin-top: 0.625rem }
.copy { height: auto; padding: 0.3125rem 0.75rem; border: 0.0625rem solid var(--edge); border-radius: 0.5rem; background: var(--paper); color: var(--ink); font-size: 0.875rem; white-space: nowrap }
.copy:hover { border-color: var(--act); color: var(--act); filter: none }
.copy[data-copied]::before { content: '✓ ' / ''; color: var(--act) }
.source { display: grid; grid-template-columns: 1fr auto; align-items: start; gap: 0.5rem; padding: 0.625rem 0; border-bottom: 0.0625rem solid var(--line) }
.source details { min-width: 0 }
.source summary { padding: 0.3125rem 0; font-size: 0.9375rem; font-weight: 550; cursor: pointer }
.source details[open] { grid-column: 1 / -1; grid-row: 2 }
.source:has([open]) .copy { grid-column: 2; grid-row: 1 }
.source pre { max-height: 24rem; overflow: auto; margin-top: 0.375rem }
#copy-status { position: fixed; inset: auto 1rem 1rem; z-index: 2; width: fit-content; max-width: calc(100% - 2rem); margin: 0 auto; padding: 0.625rem 1rem; border-radius: 0.5rem; background: var(--ink); color: var(--ground); font-size: 0.9375rem }
#copy-status:empty { padding: 0 }
.facts { margin-top: 0.5rem }
.facts div { display: grid; grid-template-columns: 8rem 1fr; align-items: baseline; gap: 1rem; padding: 0.5rem 0; border-top: 0.0625rem solid var(--line) }
.facts div:first-child { border-top: 0 }
.facts dt, .facts dd { min-width: 0; font-size: 0.9375rem }
.facts .copy { margin-left: 0.5rem }
.variables { display: flex; flex-wrap: wrap; gap: 0.25rem 0.375rem }
.variables code { padding: 0 0.375rem; border: 0.0625rem solid var(--line); border-radius: 0.3125rem; background: var(--paper) }
.steps { display: grid; gap: 1.5rem; padding: 0; list-style: none; counter-reset: step }
.steps > li { display: grid; gap: 1rem; padding-top: 1.5rem; border-top: 0.0625rem solid var(--line); counter-increment: step }
.steps h3 { font-size: 1.125rem }
.steps h3::before { content: counter(step) '. '; color: var(--soft); font-variant-numeric: tabular-nums }
.steps .text { min-width: 0 }
.steps .text p { margin-top: 0.5rem; color: var(--soft); font-size: 0.9375rem }
.steps .text .subject-line { color: var(--ink) }
.steps iframe { height: 30rem }
`;

const WIDTHS = `
@media (min-width: 60rem) {
  .beside { grid-template-columns: minmax(0, 1.75fr) minmax(0, 1fr) }
  .steps > li { grid-template-columns: minmax(0, 1fr) minmax(0, 1.75fr); gap: 2.5rem }
  .widths { display: flex; gap: 0.25rem }
}
@media (max-width: 64rem) {
  .tiles { grid-template-columns: repeat(3, minmax(0, 1fr)) }
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)) }
}
@media (max-width: 42rem) {
  body { padding: 0 1rem 3rem }
  .intro { padding: 1.25rem 0 1.375rem }
  .search input, .search button { flex: 1 1 100% }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem 0.875rem }
  .cards { grid-template-columns: minmax(0, 1fr); gap: 0.875rem }
  section > .heading { grid-template-columns: 1fr; padding: 2.25rem 0 1rem }
  .heading a { grid-column: 1; grid-row: auto; margin-top: 0.25rem }
  .filters .kinds ul { flex-wrap: nowrap; gap: 0 1.125rem; overflow-x: auto }
  .kinds a { font-size: 0.875rem; white-space: nowrap }
  .excerpt { -webkit-line-clamp: 4 }
  .tile h3 { font-size: 0.9375rem }
  .mail .subject-line, .under { padding-inline: 1rem }
  .facts div { grid-template-columns: 6.5rem 1fr }
}
@media (prefers-reduced-motion: reduce) { .shot, .card { transition: none } }
`;

/** The style rules of the gallery. */
export const GALLERY_RULES = THEME + PAGE + FILTERS + CARDS + MAILS + WIDTHS;

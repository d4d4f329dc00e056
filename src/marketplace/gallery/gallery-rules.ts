import { THEME } from '../../platform/pages/index.js';

const PAGE = `
body { padding: 0 1.5rem 5rem; overflow-wrap: break-word }
a { color: var(--act); text-underline-offset: 0.2em; text-decoration-thickness: 0.0625rem }
h1, h2, h3, h4 { margin: 0; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance }
p, ul, ol, dl, dd { margin: 0 }
ul { padding: 0; list-style: none }
code, pre { font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.bar, main { max-width: 76rem; margin: 0 auto }
.bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1.5rem; padding: 1.125rem 0; border-bottom: 0.0625rem solid var(--line) }
.bar a { padding: 0.375rem 0; color: var(--soft); font-size: 0.9375rem; text-decoration: none }
.bar .home { color: var(--ink); font-weight: 650 }
.bar nav { display: flex; gap: 1.25rem }
.bar a:hover { color: var(--act) }
.bar [aria-current] { color: var(--ink); box-shadow: 0 0.125rem var(--act) }
.intro { max-width: 46rem; padding: 3.5rem 0 2.25rem }
h1 { font-size: clamp(1.875rem, 5vw, 2.75rem); font-weight: 700; letter-spacing: -0.025em; line-height: 1.12 }
.lead { margin-top: 1rem; color: var(--soft); font-size: 1.125rem; line-height: 1.6; text-wrap: pretty }
.lead + p { margin-top: 1.25rem }
.back { margin-bottom: 0.875rem; font-size: 0.9375rem }
.back a { text-decoration: none }
.back a:hover { text-decoration: underline }
.count { margin-left: 0.25rem; color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums }
.heading { padding: 3rem 0 1.25rem }
.heading h2 { font-size: 1.625rem; letter-spacing: -0.02em }
.heading p { margin-top: 0.25rem; color: var(--soft) }
.label, dt { color: var(--soft); font-size: 0.8125rem }
.visually-hidden { position: absolute; width: 0.0625rem; height: 0.0625rem; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
`;

const FILTERS = `
.filters { display: grid; gap: 0.875rem; padding-top: 1.25rem; border-top: 0.0625rem solid var(--line) }
.filters nav { display: grid; grid-template-columns: 7rem 1fr; align-items: baseline; gap: 0.5rem 1rem }
.filters h2 { color: var(--soft); font-size: 0.875rem; font-weight: 400; letter-spacing: 0 }
.filters ul { display: flex; flex-wrap: wrap; gap: 0.375rem }
.filters a { display: block; padding: 0.25rem 0.8125rem; border: 0.0625rem solid var(--line); border-radius: 1rem; background: var(--paper); color: var(--ink); font-size: 0.875rem; text-decoration: none }
.filters a:hover { border-color: var(--act); color: var(--act) }
.filters [aria-current], .filters [aria-current]:hover { border-color: var(--act); background: var(--act); color: var(--on-act) }
`;

const CARDS = `
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem; grid-auto-flow: dense }
.category { padding-top: 0.5rem }
.category + .category { padding-top: 2.5rem }
.category h3 { padding-bottom: 0.875rem; font-size: 1.125rem }
.card { position: relative; display: flex; flex-direction: column; padding: 1.375rem 1.5rem 1.125rem; border: 0.0625rem solid var(--line); border-radius: 0.75rem; background: var(--paper) }
.card:hover { border-color: var(--act) }
.card .text { display: flex; flex-direction: column; flex: 1; min-width: 0 }
.card h3, .card h4 { padding: 0; font-size: 1.0625rem }
.card :is(h3, h4) a { color: inherit; text-decoration: none }
.card :is(h3, h4) a::after { content: ''; position: absolute; inset: 0; border-radius: inherit }
.card :is(h3, h4) a:focus-visible { outline: none }
.card :is(h3, h4) a:focus-visible::after { outline: 0.1875rem solid var(--ink); outline-offset: 0.1875rem }
.card p { margin-top: 0.5rem; color: var(--soft); font-size: 0.9375rem; line-height: 1.5 }
.card ol { position: relative; z-index: 1; margin-top: 0.875rem; padding-left: 1.375rem; font-size: 0.9375rem }
.card ol li { padding: 0.1875rem 0 }
.card ol li::marker { color: var(--soft); font-variant-numeric: tabular-nums }
.card ol a { color: var(--ink); text-decoration-color: var(--line) }
.card ol a:hover { color: var(--act); text-decoration-color: currentcolor }
.subject { margin-top: 0.875rem; padding-left: 0.75rem; border-left: 0.125rem solid var(--line) }
.subject dd { font-size: 0.9375rem; line-height: 1.4 }
.foot { display: flex; flex-wrap: wrap; gap: 0.25rem 0.875rem; align-items: center; color: var(--soft); font-size: 0.8125rem }
.card .foot { margin-top: auto; padding-top: 1rem; font-size: 0.8125rem }
.card .downloads { margin-left: auto; font-variant-numeric: tabular-nums }
.badge { color: var(--act); font-weight: 600 }
.thumbnail { position: relative; overflow: hidden; height: 15rem; margin: 1rem -1.5rem -1.125rem; border-top: 0.0625rem solid var(--line); border-radius: 0 0 0.6875rem 0.6875rem }
.thumbnail iframe { position: absolute; top: 0; left: 0; width: 180%; height: 180%; border: 0; transform: scale(0.5556); transform-origin: 0 0; pointer-events: none }
@media (min-width: 50rem) {
  .wide { grid-column: span 2; flex-direction: row; gap: 1.5rem; min-height: 17rem }
  .wide .thumbnail { flex: 0 0 46%; height: auto; margin: -1.375rem -1.5rem -1.125rem 0; border-top: 0; border-left: 0.0625rem solid var(--line); border-radius: 0 0.6875rem 0.6875rem 0 }
}
`;

const MAILS = `
.beside { display: grid; gap: 2.5rem; align-items: start }
.mail { overflow: hidden; border: 0.0625rem solid var(--line); border-radius: 0.75rem; background: var(--paper) }
.mail iframe { display: block; width: 100%; height: 44rem; border: 0; background: var(--paper) }
.mail iframe:focus-visible { outline-offset: -0.1875rem }
.mail .subject-line { padding: 0.875rem 1.5rem; border-bottom: 0.0625rem solid var(--line) }
.subject-line .label { margin-right: 0.625rem }
.subject-line strong { font-weight: 600 }
.under { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.75rem 1.5rem; border-top: 0.0625rem solid var(--line); color: var(--soft); font-size: 0.875rem }
.aside { display: grid; gap: 2.5rem; min-width: 0 }
.aside h2, .use h2 { font-size: 1.125rem }
.use p { margin-top: 0.375rem; color: var(--soft); font-size: 0.9375rem }
.use pre { margin: 0.875rem 0 0; padding: 0.875rem 1rem; border: 0.0625rem solid var(--line); border-radius: 0.5rem; background: var(--paper); white-space: pre-wrap; overflow-wrap: anywhere }
main > .use { max-width: 46rem }
.facts { margin-top: 0.5rem }
.facts div { display: grid; grid-template-columns: 8rem 1fr; gap: 1rem; padding: 0.5rem 0; border-top: 0.0625rem solid var(--line) }
.facts div:first-child { border-top: 0 }
.facts dt, .facts dd { font-size: 0.9375rem; min-width: 0; overflow-wrap: anywhere }
.variables { display: flex; flex-wrap: wrap; gap: 0.25rem 0.375rem }
.variables code { padding: 0 0.375rem; border: 0.0625rem solid var(--line); border-radius: 0.3125rem; background: var(--paper) }
.steps { display: grid; gap: 1.5rem; padding: 0; list-style: none; counter-reset: step }
.steps > li { display: grid; gap: 1rem; padding-top: 1.5rem; border-top: 0.0625rem solid var(--line); counter-increment: step }
.steps h3 { font-size: 1.125rem }
.steps h3::before { content: counter(step) '. '; color: var(--soft); font-variant-numeric: tabular-nums }
.steps .text p { margin-top: 0.5rem; color: var(--soft); font-size: 0.9375rem }
.steps .text .subject-line { color: var(--ink) }
.steps iframe { height: 30rem }
@media (min-width: 60rem) {
  .beside { grid-template-columns: minmax(0, 1.75fr) minmax(0, 1fr) }
  .steps > li { grid-template-columns: minmax(0, 1fr) minmax(0, 1.75fr); gap: 2.5rem }
}
@media (max-width: 30rem) {
  body { padding: 0 1rem 3rem }
  .intro { padding: 2.25rem 0 1.75rem }
  .filters nav { grid-template-columns: 1fr }
  .card { padding: 1.125rem 1.125rem 1rem }
  .thumbnail { margin: 1rem -1.125rem -1rem }
  .mail .subject-line, .under { padding-inline: 1rem }
  .facts div { grid-template-columns: 6.5rem 1fr }
}
`;

/** The style rules of the gallery. */
export const GALLERY_RULES = THEME + PAGE + FILTERS + CARDS + MAILS;

export { Html, html } from './html.js';
export { type Language, languageOf, LANGUAGES, ReadersLanguage } from './language.js';
export { type StyleSheet, styleSheet } from './style-sheet.js';

export { editDistance, nearest } from './edit-distance.js';

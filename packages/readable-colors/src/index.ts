export { type BrandColors, brandColors } from './brand-colors.js';

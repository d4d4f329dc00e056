// The global setup of Jest for `scripts/mutate.mjs`: what it imports of the code stays loaded, and has to be mutated, too.
import { register } from 'node:module';
import globalSetup from '../global-setup.mjs';

register('./loader.mjs', import.meta.url, { data: JSON.parse(process.env.MUTANTS).mutated });

export default globalSetup;

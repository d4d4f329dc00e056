// For `--import`: the module hooks of a thread or of a process.
import { register } from 'node:module';

register('./typescript-loader.mjs', import.meta.url);

export { StreamedFiles, type StreamedFile } from './streamed-files.js';

export { fetchSample, formData, MULTIPART, type SampleOptions } from './fetch-sample.js';
export {
  type DescribedComponents,
  type DescribedOperation,
  type DescribedParameter,
  OperationReader,
} from './operation-reader.js';
export { Code, literal } from './source-text.js';

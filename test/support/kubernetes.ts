import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

const require = createRequire(import.meta.url);
const FILE = join(import.meta.dirname, 'manifests.ts');

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: any;
}

/** @returns the module with the types and the validators of a version of an API */
const moduleOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;

/** @returns what the schemas of Kubernetes' own API, and of the Prometheus Operator, find wrong: values, and unknown fields */
export const manifestErrors = (manifests: readonly Manifest[]): string[] => [
  ...manifests.flatMap(valueErrors),
  ...typeErrors(manifests),
];

/** The validators are generated from the schemas. Like those they accept unknown fields. */
function valueErrors(manifest: Manifest): string[] {
  const models = require(moduleOf(manifest));
  try {
    new models[manifest.kind](manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
  }
}

/** The types are generated from the schemas, too, and TypeScript accepts no field in a literal that its type does not have. */
function typeErrors(manifests: readonly Manifest[]): string[] {
  const source = manifests.map((manifest, n) => {
    const type = `I${manifest.kind}`;
    return `import type { ${type} as T${n} } from '${moduleOf(manifest)}';
      export const manifest${n}: T${n} = ${JSON.stringify(manifest)};`;
  });
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const files = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (name) => name === FILE || files.fileExists(name),
    getSourceFile: (name, version) =>
      name === FILE ? ts.createSourceFile(name, source.join('\n'), version) : files.getSourceFile(name, version),
  };
  const program = ts.createProgram([FILE], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

import type { DescFile, DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { SampleValue } from './samples/samples.js';

/** A method, as its samples call it. */
export interface SampledCall {
  readonly method: DescMethod;
  /** A request; undefined if none is known. */
  readonly sample: SampleValue | undefined;
  /** Whether a token must be sent, `$TOKEN` in a shell and `token` in TypeScript. */
  readonly guarded: boolean;
}

/**
 * A program for a page of the same origin, with connect-web and the code that protoc-gen-es generates into `gen`.
 *
 * @param transport the function of connect-web that makes the transport.
 * @param prefix before the name of the method in its path.
 */
export function callInTypeScript(
  { method, sample, guarded }: SampledCall,
  transport: string,
  prefix: string,
): string {
  const { input, parent } = method;
  const service = parent.name;
  const isEmpty = sample === undefined || JSON.stringify(sample) === '{}';
  const schema = schemaName(input);
  const imports = isEmpty
    ? [importOf([service], parent.file)]
    : input.file === parent.file
      ? [importOf([service, schema], parent.file)]
      : [importOf([service], parent.file), importOf([schema], input.file)];
  const baseUrl = prefix === '' ? 'location.origin' : `location.origin + ${quoted(prefix)}`;
  const options = guarded ? ', { headers: { Authorization: `Bearer ${token}` } }' : '';
  // As JSON has it: a message of protobuf-es has other values for dates, bytes and large numbers.
  const request = isEmpty ? '{}' : `fromJson(${schema}, ${JSON.stringify(sample, null, 2)})`;
  const call = `client.${method.localName}(request${options})`;
  return [
    ...(isEmpty ? [] : ["import { fromJson } from '@bufbuild/protobuf';"]),
    "import { createClient } from '@connectrpc/connect';",
    `import { ${transport} } from '@connectrpc/connect-web';`,
    ...imports,
    '',
    `const client = createClient(${service}, ${transport}({ baseUrl: ${baseUrl} }));`,
    `const request = ${request};`,
    method.methodKind === 'unary'
      ? `console.log(await ${call});`
      : `for await (const message of ${call}) console.log(message);`,
  ].join('\n');
}

function importOf(names: readonly string[], { name }: DescFile): string {
  const from = name.startsWith('google/protobuf/')
    ? '@bufbuild/protobuf/wkt'
    : `./gen/${name}_pb.js`;
  return `import { ${names.join(', ')} } from ${quoted(from)};`;
}

/** As protoc-gen-es names it, also if it is within another message. */
function schemaName({ typeName, file }: DescMessage): string {
  const { package: within } = file.proto;
  const name = within === '' ? typeName : typeName.slice(within.length + 1);
  return `${name.replaceAll('.', '_')}Schema`;
}

function quoted(text: string): string {
  return `'${text}'`;
}

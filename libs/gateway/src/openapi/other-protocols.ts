import type { DescMethod } from '@bufbuild/protobuf';
import type { SampleValue } from './samples/samples.js';

/** How methods are served by other protocols than REST. */
export interface OtherProtocols {
  /** Their names, `rest` perhaps among them. */
  readonly protocols: ReadonlySet<string>;
  /** The methods that they serve. */
  readonly methods: readonly DescMethod[];
  /** The path of a method, by its full name. */
  readonly pathOf: (fullName: string) => string;
}

/**
 * Says in Markdown by which protocols a method can be called too, with a line for each that can be copied.
 *
 * @param sample a request; undefined if none is known.
 */
export function otherProtocolsOf(
  method: DescMethod,
  { protocols, methods, pathOf }: OtherProtocols,
  sample: SampleValue | undefined,
): string | undefined {
  const others = [...protocols].filter((name) => name !== 'rest');
  if (others.length === 0 || !methods.includes(method)) return undefined;
  const fullName = `${method.parent.typeName}/${method.name}`;
  const path = pathOf(`/${fullName}`);
  const json = JSON.stringify(sample ?? {});
  const quoted = `'${json.replaceAll("'", String.raw`'\''`)}'`;
  const hasConnect = protocols.has('connect');
  const shell = [
    // A stream has messages with heads.
    hasConnect &&
      method.methodKind === 'unary' &&
      `curl "$URL${path}" -H 'content-type: application/json' -d ${quoted}`,
    protocols.has('grpc') && `grpcurl -d ${quoted} "$HOST" ${fullName}`,
  ].filter((line) => line !== false);
  const isForPages = method.methodKind === 'unary' || method.methodKind === 'server_streaming';
  const transport = hasConnect ? 'createConnectTransport' : 'createGrpcWebTransport';
  const page = `createClient(${method.parent.name}, ${transport}({ baseUrl })).${method.localName}(${json})`;
  return [
    `Also served at \`${path}\` by ${others.join(', ')}.`,
    ...(shell.length > 0 ? [block('sh', shell.join('\n'))] : []),
    ...(isForPages && (hasConnect || protocols.has('grpc-web')) ? [block('ts', page)] : []),
  ].join('\n\n');
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

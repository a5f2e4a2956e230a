import type { DescMethod } from '@bufbuild/protobuf';
import { type SampledCall, callInTypeScript } from './call-in-typescript.js';
import type { CodeSample } from './document.js';

/** How methods are served by other protocols than REST. */
export interface OtherProtocols {
  /** Their names, `rest` perhaps among them. */
  readonly protocols: ReadonlySet<string>;
  /** The methods that they serve. */
  readonly methods: readonly DescMethod[];
  /** The path of a method, by its full name. */
  readonly pathOf: (fullName: string) => string;
}

/** Says in Markdown by which protocols a method can be called too; undefined for none. */
export function otherProtocolsOf(method: DescMethod, others: OtherProtocols): string | undefined {
  const names = [...others.protocols].filter((name) => name !== 'rest');
  if (names.length === 0 || !others.methods.includes(method)) return undefined;
  return `Also served at \`${others.pathOf(`/${nameOf(method)}`)}\` by ${names.join(', ')}.`;
}

/**
 * A program for each of the other protocols. Those for a shell expect the origin of the server in `$URL`, and the
 * host and port in `$HOST`.
 */
export function codeSamplesOf(
  call: SampledCall,
  { protocols, methods, pathOf }: OtherProtocols,
): readonly CodeSample[] {
  const { method, sample, guarded } = call;
  if (!methods.includes(method)) return [];
  const name = nameOf(method);
  const path = pathOf(`/${name}`);
  const unary = method.methodKind === 'unary';
  const body = `-d '${JSON.stringify(sample ?? {}).replaceAll("'", String.raw`'\''`)}'`;
  const token = guarded ? ' -H "Authorization: Bearer $TOKEN"' : '';
  const samples: CodeSample[] = [];
  if (protocols.has('grpc')) {
    const source = `grpcurl${token} ${body} "$HOST" ${name}`;
    samples.push({ lang: 'Shell', label: 'grpcurl', source });
  }
  if (protocols.has('connect') && unary) {
    // A stream has messages with heads.
    const source = `curl "$URL${path}" -H 'Content-Type: application/json'${token} ${body}`;
    samples.push({ lang: 'Shell', label: 'Connect (curl)', source });
  }
  const transport = transportOf(protocols);
  if (transport !== undefined && (unary || method.methodKind === 'server_streaming')) {
    const source = callInTypeScript(call, transport, path.slice(0, -name.length - 1));
    samples.push({ lang: 'TypeScript', label: 'connect-web', source });
  }
  return samples;
}

/** What a page calls by; gRPC itself is not for pages. */
function transportOf(protocols: ReadonlySet<string>): string | undefined {
  if (protocols.has('connect')) return 'createConnectTransport';
  return protocols.has('grpc-web') ? 'createGrpcWebTransport' : undefined;
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

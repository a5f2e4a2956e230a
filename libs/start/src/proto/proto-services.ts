import { exportedName, typeNames } from './generated-names.js';

/** A service as its .proto file declares it. */
export interface ProtoService {
  readonly name: string;
  /** Its name in the generated file. */
  readonly exported: string;
  readonly methods: readonly ProtoMethod[];
}

export interface ProtoMethod {
  readonly name: string;
  /** Whether the client sends a stream. */
  readonly takesStream: boolean;
}

const OPAQUE = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[^]*?\*\//g;
const RPC = /\brpc\s+(\w+)\s*\(\s*(stream\s+)?[\w.]+\s*\)\s*returns\s*\(/g;

/** The services of a .proto file, in order, read from its text without compiling it. */
export function protoServices(text: string): ProtoService[] {
  const plain = text.replaceAll(OPAQUE, ' ');
  const taken = typeNames(plain);
  const starts = [...plain.matchAll(/\b(service|message|enum)\s+(\w+)\s*\{/g)];
  return starts.flatMap((start, index) => {
    if (start[1] !== 'service') return [];
    const body = plain.slice(start.index, starts[index + 1]?.index);
    const methods = [...body.matchAll(RPC)].map(([, name, stream]) => ({
      name: name!,
      takesStream: stream !== undefined,
    }));
    const name = start[2]!;
    return [{ name, exported: exportedName(name, taken), methods }];
  });
}

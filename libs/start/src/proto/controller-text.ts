import type { ProtoMethod, ProtoService } from './proto-services.js';

/** A controller for a service; each method fails with `UNIMPLEMENTED`. */
export function controllerText({ name, methods }: ProtoService, generated: string): string {
  const imports = [
    "import { Code, StatusError } from '@apix/contracts';",
    "import { GrpcService } from '@apix/grpc';",
    "import type { MessageShape } from '@bufbuild/protobuf';",
    ...(methods.some(({ takesStream }) => takesStream)
      ? ["import type { Observable } from 'rxjs';"]
      : []),
    `import { ${name} } from '${generated}';`,
  ];
  const handlers = methods.map((method) => handlerText(name, method)).join('\n');
  return `${imports.join('\n')}\n\n@GrpcService(${name})\nexport class ${name}Controller {\n${handlers}}\n`;
}

function handlerText(service: string, { name, takesStream }: ProtoMethod): string {
  const method = localName(name);
  const message = `MessageShape<typeof ${service}.method.${method}.input>`;
  const parameter = takesStream ? `_requests: Observable<${message}>` : `_request: ${message}`;
  return `  ${method}(${parameter}): never {
    throw new StatusError(Code.UNIMPLEMENTED, '${name} is not implemented yet');
  }
`;
}

/** Names that every object has; protobuf-es appends `$` to them. */
const OF_OBJECTS = ['constructor', 'toString', 'toJSON', 'valueOf'];

/** The name of a handler: the name of the method in protobuf-es. */
export function localName(method: string): string {
  const name = method.charAt(0).toLowerCase() + method.slice(1);
  return OF_OBJECTS.includes(name) ? `${name}$` : name;
}

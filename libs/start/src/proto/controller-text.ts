import { hidesGlobal, localName } from './generated-names.js';
import type { ProtoMethod, ProtoService } from './proto-services.js';

/** What Nest calls by itself if a controller has it: the hooks of the app, and `then` of what it awaits. */
const CALLED_BY_NEST: ReadonlySet<string> = new Set([
  'then',
  'onModuleInit',
  'onModuleDestroy',
  'onApplicationBootstrap',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
]);

const IMPORTED = ['Code', 'StatusError', 'GrpcService', 'GrpcMethod', 'GrpcStreamMethod'];
const IMPORTED_TYPES = ['MessageShape', 'Observable'];

/** A controller for a service; each method fails with `UNIMPLEMENTED`. */
export function controllerText(service: ProtoService, generated: string): string {
  const { name, exported } = service;
  const methods = distinctMethods(service);
  const own = methods.filter(({ name }) => isTaken(localName(name)));
  const decorators = [...new Set(own.map(decoratorOf))].toSorted();
  const local = localService(service);
  const imports = [
    "import { Code, StatusError } from '@apix/contracts';",
    "import { GrpcService } from '@apix/grpc';",
    "import type { MessageShape } from '@bufbuild/protobuf';",
    ...(decorators.length > 0
      ? [`import { ${decorators.join(', ')} } from '@nestjs/microservices';`]
      : []),
    ...(methods.some(({ takesStream }) => takesStream)
      ? ["import type { Observable } from 'rxjs';"]
      : []),
    `import { ${local === exported ? local : `${exported} as ${local}`} } from '${generated}';`,
  ];
  const names = handlerNames({ ...service, methods });
  const handlers = methods.map((method, i) => handlerText(local, method, names[i]!)).join('\n');
  return `${imports.join('\n')}\n\n@GrpcService(${local})\nexport class ${name}Controller {\n${handlers}}\n`;
}

/** Methods whose name in protobuf-es another one has as well, which the generated file cannot declare. */
export function doubledMethods({ methods }: ProtoService): readonly string[] {
  const names = methods.map(({ name }) => localName(name));
  return methods.flatMap(({ name }, i) => (names.indexOf(names[i]!) < i ? [name] : []));
}

function distinctMethods(service: ProtoService): readonly ProtoMethod[] {
  const doubled = doubledMethods(service);
  return service.methods.filter(({ name }) => !doubled.includes(name));
}

/** The name of the service in the controller's file, where it hides nothing. */
function localService({ name, exported }: ProtoService): string {
  const isHiding = [...IMPORTED, ...IMPORTED_TYPES].includes(exported) || hidesGlobal(exported);
  return isHiding || exported !== name ? `${name}Service` : exported;
}

/** The names of the handlers, in the order of the methods. */
export function handlerNames({ methods }: ProtoService): readonly string[] {
  const names = methods.map(({ name }) => localName(name));
  return names.map((name) => {
    let own = name;
    while (isTaken(own) || (own !== name && names.includes(own))) own = `${own}Rpc`;
    return own;
  });
}

/** Whether a handler cannot have the name, also because every object has a method of that name. */
function isTaken(name: string): boolean {
  return CALLED_BY_NEST.has(name) || name in Object.prototype;
}

function decoratorOf({ takesStream }: ProtoMethod): string {
  return takesStream ? 'GrpcStreamMethod' : 'GrpcMethod';
}

function handlerText(service: string, method: ProtoMethod, handler: string): string {
  const { name, takesStream } = method;
  const message = `MessageShape<typeof ${service}.method.${localName(name)}.input>`;
  const parameter = takesStream ? `_requests: Observable<${message}>` : `_request: ${message}`;
  const decorator = isTaken(localName(name))
    ? `  // ${localName(name)}() of a controller has another meaning.\n` +
      `  @${decoratorOf(method)}(${service}.typeName, '${name}')\n`
    : '';
  return `${decorator}  ${handler}(${parameter}): never {
    throw new StatusError(Code.UNIMPLEMENTED, '${name} is not implemented yet');
  }
`;
}

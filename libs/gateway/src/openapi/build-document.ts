import { type OptionTable, arrayOf, foreignObject } from '@apix/contracts/internal';
import type { PolicySource, PolicyReport } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescService } from '@bufbuild/protobuf';
import type { TranscodingOptions } from '../options.js';
import { type Binding, type BoundVariable, takesRequestStream } from '../rules/binding.js';
import { descriptionOf, jsonStyleOf } from './declarations.js';
import type { OpenApiDocument, OpenApiInfo, Operation } from './document.js';
import { describeErrors } from './errors.js';
import { BEARER, operationOf } from './operation.js';
import type { OtherProtocols } from './other-protocols.js';
import { openApiPath } from './paths.js';
import type { SampleCheck } from './samples/sample-request.js';
import { Samples } from './samples/samples.js';
import { Schemas } from './schemas.js';

export interface OpenApiOptions {
  /**
   * Default: the title is the package of the services, the description is the comment above `package` in
   * their files, the version `0.0.0`.
   */
  readonly info?: Partial<OpenApiInfo>;
  /** Default: none; the host that serves the document is used. */
  readonly servers?: OpenApiDocument['servers'];
}

/** The allowed values of the options of a document; the contents are OpenAPI's own. */
export const OPENAPI_OPTIONS = {
  info: foreignObject<Partial<OpenApiInfo>>(),
  servers: arrayOf(foreignObject('a server')),
} satisfies OptionTable<OpenApiOptions>;

/** Everything that a document is made from. */
export interface OpenApiSource {
  readonly protos: ProtoRegistry;
  readonly bindings: readonly Binding[];
  /** The prefix of every path, without a trailing slash; a function returns it for each rule. */
  readonly prefix: string | ((binding: Binding) => string);
  readonly transcoding: TranscodingOptions;
  /** Gives protected methods their security, 401 and 403. */
  readonly policies?: PolicySource | undefined;
  /**
   * Says of each operation who may call it, as `x-who-may-call`. A reader of the document learns the roles,
   * permissions and conditions of its methods. Default: not said.
   */
  readonly report?: Pick<PolicyReport, 'methods'> | undefined;
  /**
   * Whether the server takes a request message, by rules in CEL too. Default: not known, and bodies of messages with
   * such rules have no sample.
   */
  readonly accepts?: SampleCheck | undefined;
  /** How the methods are served by other protocols. Default: not at all. */
  readonly others?: OtherProtocols | undefined;
}

/** Methods that an OpenAPI path item can have. */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);

/**
 * Describes bindings as an OpenAPI 3.1 document. HTTP methods that OpenAPI does not know, and
 * methods with a stream of requests, are left out; a rule for any method is described as GET.
 * The same descriptors give the same document, byte for byte.
 */
export function buildOpenApi(source: OpenApiSource, options: OpenApiOptions = {}): OpenApiDocument {
  const { protos, transcoding, policies, report, accepts, others } = source;
  const json = jsonStyleOf(transcoding);
  const schemas = new Schemas(protos, json, policies);
  const samples = new Samples(protos, json, 'request');
  const answers = new Samples(protos, json, 'response');
  const errors = describeErrors(transcoding.errors ?? 'problem');
  const whoMayCall = new Map(report?.methods().map(({ method, who }) => [method, who]));
  const made = { schemas, samples, answers, errors, whoMayCall };
  const context = { protos, policies, accepts, others, ...made };
  const described = source.bindings.filter(isDescribable);
  const idOf = operationIds(described);
  const nameOf = ({ fields }: BoundVariable) => fields.map((it) => schemas.nameOf(it)).join('.');

  const paths: Record<string, Record<string, Operation>> = {};
  const namesOfShape = new Map<string, ReturnType<typeof openApiPath>>();
  for (const binding of described) {
    const own = openApiPath(binding, nameOf);
    // OpenAPI takes /a/{x} and /a/{y} for the same path: the first names serve both.
    const shape = own.path.replaceAll(/\{[^}]*\}/g, '{}');
    const first = namesOfShape.get(shape) ?? own;
    namesOfShape.set(shape, first);
    const parameters = own.parameters.map((parameter, index) => ({
      ...parameter,
      name: first.parameters[index]?.name ?? parameter.name,
    }));
    const prefix = typeof source.prefix === 'string' ? source.prefix : source.prefix(binding);
    const item = (paths[prefix + first.path] ??= {});
    const verb = binding.httpMethod === '*' ? 'get' : binding.httpMethod.toLowerCase();
    item[verb] ??= operationOf(binding, idOf(binding), { path: first.path, parameters }, context);
  }
  const secured = described.some(
    ({ fullName }) => policies?.policyOf(fullName)?.kind === 'protected',
  );
  return {
    openapi: '3.1.0',
    info: { ...infoOf(described, protos), ...options.info },
    ...(options.servers && { servers: options.servers }),
    tags: tagsOf(described, protos),
    paths,
    components: {
      schemas: { ...schemas.collected(), [errors.name]: errors.schema },
      ...(secured && { securitySchemes: { [BEARER]: { type: 'http', scheme: 'bearer' } } }),
    },
  };
}

/** Named for the packages of the services, and described by the comments of their files. */
function infoOf(bindings: readonly Binding[], protos: ProtoRegistry): OpenApiInfo {
  const files = new Set(bindings.map(({ method }) => method.parent.file));
  const packages = new Set([...files].map(({ proto }) => proto.package).filter(Boolean));
  const comments = new Set([...files].map((file) => protos.comments(file)).filter(Boolean));
  return {
    title: [...packages].join(', ') || 'API',
    version: '0.0.0',
    ...(comments.size > 0 && { description: [...comments].join('\n\n') }),
  };
}

function isDescribable(binding: Binding): boolean {
  const { httpMethod } = binding;
  return !takesRequestStream(binding) && (httpMethod === '*' || METHODS.has(httpMethod));
}

/**
 * `Orders_Get`, and `Orders_Get_2` for its second binding; with the package before it where two
 * services have the same name.
 */
function operationIds(bindings: readonly Binding[]): (binding: Binding) => string {
  const services = new Map<string, Set<string>>();
  for (const { method } of bindings) {
    const { name, typeName } = method.parent;
    services.set(name, (services.get(name) ?? new Set()).add(typeName));
  }
  return (binding) => {
    const { method } = binding;
    const { name, typeName } = method.parent;
    const unique = services.get(name)?.size === 1;
    const service = unique ? name : typeName.replaceAll('.', '_');
    const position = bindings.filter((other) => other.method === method).indexOf(binding);
    return `${service}_${method.name}${position === 0 ? '' : `_${position + 1}`}`;
  };
}

function tagsOf(bindings: readonly Binding[], protos: ProtoRegistry): OpenApiDocument['tags'] {
  const services = new Map<string, DescService>();
  for (const { method } of bindings) {
    if (!services.has(method.parent.name)) services.set(method.parent.name, method.parent);
  }
  return [...services.values()].map((service) => ({
    name: service.name,
    ...descriptionOf(protos, service),
  }));
}

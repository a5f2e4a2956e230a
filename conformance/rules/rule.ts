import { type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { http } from '../../libs/gateway/src/gen/google/api/annotations_pb.js';
import type { HttpRule } from '../../libs/gateway/src/gen/google/api/http_pb.js';

/** One HTTP method and path of a method, as the .proto file has them. */
export interface Rule {
  /** `shop.v1.Catalog/Get`. */
  readonly method: string;
  readonly httpMethod: string;
  readonly path: string;
}

/** The google.api.http options of a service, additional bindings included. */
export function rulesOf(service: DescService): Rule[] {
  return service.methods.flatMap((method) => {
    if (!hasOption(method, http)) return [];
    const rule = getOption(method, http);
    return [rule, ...rule.additionalBindings].map((each) => ({
      method: `${service.typeName}/${method.name}`,
      ...patternOf(each),
    }));
  });
}

function patternOf({ pattern }: HttpRule): Pick<Rule, 'httpMethod' | 'path'> {
  if (pattern.case === undefined) return { httpMethod: '', path: '' };
  if (pattern.case === 'custom')
    return { httpMethod: pattern.value.kind, path: pattern.value.path };
  return { httpMethod: pattern.case.toUpperCase(), path: pattern.value };
}

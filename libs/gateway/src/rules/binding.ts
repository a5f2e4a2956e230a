import type { DescField, DescMethod } from '@bufbuild/protobuf';
import type { PathTemplate, TemplateVariable } from '../template/path-template.js';
import type { TextParser } from '../request/text-value.js';

/** What the request body is: nothing, the whole request message, or one of its fields. */
export type BodyRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'field'; readonly field: DescField };

/** A path variable and the field that it sets. */
export interface BoundVariable {
  readonly variable: TemplateVariable;
  /** From the request message down; the last one is set. */
  readonly fields: readonly DescField[];
  readonly parse: TextParser;
}

/** One HTTP method and path of an RPC: a compiled google.api.HttpRule. */
export interface Binding {
  readonly method: DescMethod;
  /** The method's full name, `/<package>.<Service>/<Method>`. */
  readonly fullName: string;
  /** `GET`, `POST`, …; `*` for any. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
  /** In the order of the template's variables. */
  readonly variables: readonly BoundVariable[];
  readonly body: BodyRule;
  /** The response field that is the HTTP body; undefined: the whole response. */
  readonly responseField: DescField | undefined;
  /**
   * The field mask that a PATCH without one gets, from the members of its body; undefined if there is no
   * such field.
   */
  readonly maskField: DescField | undefined;
}

/** How error messages call a binding. */
export function describeBinding(
  binding: Pick<Binding, 'fullName' | 'httpMethod' | 'template'>,
): string {
  return `${binding.fullName.slice(1)} (${binding.httpMethod} ${binding.template.source})`;
}

/** Whether the method takes more than one message, which plain HTTP cannot express. */
export function takesRequestStream({ method: { methodKind } }: Binding): boolean {
  return methodKind === 'client_streaming' || methodKind === 'bidi_streaming';
}

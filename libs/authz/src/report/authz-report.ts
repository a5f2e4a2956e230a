import {
  type MethodAccess,
  type PolicyView,
  POLICY_REPORT,
  type PolicyReport,
  type ReportedDecision,
  type ReportedExplanation,
  type ReportedField,
  type ReportedMethod,
  type SupposedCaller,
} from '@apix/contracts';
import type { Authorizer } from '../decide/authorizer.js';
import type { Decision } from '../decide/decision.js';
import { nameOfField } from '../fields/field-visibility.js';
import { type FindingLine, findingLines, verdictText } from './explanation-lines.js';
import { audienceText, policyText } from './policy-texts.js';
import { type WordedRoute, sayWhoMayCall } from './worded-routes.js';

/** An app's policies in words, for its host page and its OpenAPI document; the texts are those of `apix-authz`. */
export class AuthzReport implements PolicyReport {
  readonly [POLICY_REPORT] = true as const;

  /** @param routes of controllers, read when they are first asked for. Default: none, as without Nest. */
  constructor(
    private readonly authorizer: Authorizer,
    private readonly routes: () => Iterable<WordedRoute> = () => [],
  ) {}

  methods(): readonly ReportedMethod[] {
    const { methods } = this.authorizer;
    return methods.names().map((method) => ({ method, who: policyText(this.authorizer, method) }));
  }

  fields(): readonly ReportedField[] {
    return this.authorizer.fields.all.map(({ field }) => {
      const name = nameOfField(field);
      return { field: name, who: audienceText(this.authorizer, name) };
    });
  }

  withWhoMayCall(document: object): object {
    return sayWhoMayCall(document, this.routes());
  }

  named(): { readonly roles: readonly string[]; readonly permissions: readonly string[] } {
    const { methods, fields } = this.authorizer;
    const policies: readonly (PolicyView | undefined)[] = [
      ...methods.names().map((method) => this.authorizer.policyOf(method)),
      ...fields.all.map(({ requirement }) => requirement),
    ];
    return { roles: namesIn(policies, 'roles'), permissions: namesIn(policies, 'permissions') };
  }

  accessFor(fullMethodName: string, caller: SupposedCaller | null): MethodAccess {
    return this.authorizer.accessFor(fullMethodName, caller);
  }

  explain(fullMethodName: string, caller: SupposedCaller | null): ReportedExplanation | undefined {
    const { methods, fields } = this.authorizer;
    if (!methods.has(fullMethodName)) return undefined;
    const explanation = this.authorizer.explain(fullMethodName, caller);
    const access = this.authorizer.accessFor(fullMethodName, caller);
    const findings = findingLines(explanation, fields.explain(fullMethodName, caller, undefined));
    return {
      access,
      verdict: verdictText(explanation, access),
      findings:
        explanation.reason === 'no_request'
          ? [...findings, ...this.#conditions(fullMethodName)]
          : findings,
    };
  }

  denials(): ReadonlyMap<string, number> {
    return this.authorizer.denials;
  }

  follow(take: (decision: ReportedDecision) => void): () => void {
    return this.authorizer.follow((decision) => take(reported(decision)));
  }

  /** The conditions of a method, without a request that they could read. */
  #conditions(method: string): FindingLine[] {
    return this.authorizer.methods
      .conditionsOf(method)
      .map(({ id, expression }) => ({ passes: undefined, text: `condition ${id}: ${expression}` }));
  }
}

function namesIn(
  policies: readonly (PolicyView | undefined)[],
  on: 'roles' | 'permissions',
): readonly string[] {
  const rules = policies.flatMap((policy) =>
    policy?.kind === 'protected' ? (policy[on] ?? []) : [],
  );
  return [
    ...new Set(rules.flatMap(({ anyOf, allOf, noneOf }) => [...anyOf, ...allOf, ...noneOf])),
  ].toSorted();
}

function reported(decision: Decision): ReportedDecision {
  const { method, door, allowed, reason, subject } = decision;
  const id: unknown = subject?.id;
  return {
    method,
    door,
    allowed,
    reason,
    matter: allowed ? null : (decision.condition ?? decision.field ?? null),
    caller: typeof id === 'string' ? id : null,
    shadow: !allowed && decision.shadow,
  };
}

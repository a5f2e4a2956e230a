import { CEL, type CelType } from '../cel-type.js';
import { CelTypeName } from '../values/cel-value.js';
import type { CelNode, CelNodeKind } from './cel-node.js';
import { type CheckSession, localOf, type Local } from './check-session.js';

/** What a name stands for. */
export interface NamedValue {
  readonly type: CelType;
  readonly kind: CelNodeKind;
}

/** Checks the source of a definition; undefined: it does not parse. */
export type CheckDefinition = (source: string, name: string) => CelNode | undefined;

/**
 * What a name with or without dots is: a variable of a macro first, then what is declared, in the package first.
 * A text is a mistake in it; undefined: it is nothing as a whole.
 */
export function resolveName(
  name: string,
  locals: Local | undefined,
  session: CheckSession,
  check: CheckDefinition,
): NamedValue | string | undefined {
  const found = localOf(name, locals);
  if (found !== undefined) {
    // A field of a variable of a macro, whatever else has that name.
    if (!found.whole) return undefined;
    const { slot, type } = found.local;
    return { type, kind: { kind: 'local', slot } };
  }
  for (const candidate of session.names.candidates(name)) {
    const declared = declaredAs(candidate, session, check);
    if (declared !== undefined) return declared;
  }
  return undefined;
}

function declaredAs(
  name: string,
  session: CheckSession,
  check: CheckDefinition,
): NamedValue | string | undefined {
  const { scope, names } = session;
  const variable = scope.variables.get(name);
  if (variable !== undefined) return { type: variable, kind: { kind: 'variable', name } };
  const definition = scope.definitions?.get(name);
  if (definition !== undefined) {
    const body = bodyOf(name, definition, session, check);
    if (body === 'being checked') return `definition ${name} uses itself`;
    return { type: body.type, kind: { kind: 'definition', name, body } };
  }
  const number = names.enumNumber(name);
  if (number !== undefined) {
    return { type: CEL.int, kind: { kind: 'constant', value: BigInt(number) } };
  }
  const type = names.type(name);
  return (
    type && {
      type: { kind: 'type', of: type.type },
      kind: { kind: 'constant', value: new CelTypeName(type.name) },
    }
  );
}

/** A definition is checked once, where it is used first. */
function bodyOf(
  name: string,
  source: string,
  { definitions }: CheckSession,
  check: CheckDefinition,
): CelNode | 'being checked' {
  const known = definitions.get(name);
  if (known !== undefined) return known;
  definitions.set(name, 'being checked');
  const body = check(source, name) ?? {
    at: 0,
    type: CEL.dyn,
    kind: 'invalid',
    message: `definition ${name} does not parse`,
  };
  definitions.set(name, body);
  return body;
}

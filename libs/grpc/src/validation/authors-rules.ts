import {
  type DescExtension,
  type DescField,
  type DescMessage,
  getOption,
} from '@bufbuild/protobuf';
import { fieldRules, messageRules } from '../npm-install/@bufbuild/protovalidate.js';

/** The CEL rules that the author of a field or message wrote. */
export interface AuthorsRules {
  readonly ids: Set<string>;
  /** The texts of violations that are in the rules themselves, and so contain no value. */
  readonly texts: Set<string>;
}

type RuleSet = Readonly<Record<string, unknown>>;

interface CelRule {
  readonly id: string;
  readonly message: string;
  readonly expression: string;
}

export function authorsRules(desc: DescField | DescExtension | DescMessage): AuthorsRules {
  const found: AuthorsRules = { ids: new Set(), texts: new Set() };
  if (desc.kind === 'message') collect(getOption(desc, messageRules), found);
  else if (desc.kind === 'field') collect(getOption(desc, fieldRules), found);
  return found;
}

/** With the rules for the items of a list, and for the keys and values of a map. */
function collect(given: object | undefined, found: AuthorsRules): void {
  if (given === undefined) return;
  const rules = given as RuleSet;
  const short = (rules['celExpression'] ?? []) as readonly string[];
  const written = [
    ...((rules['cel'] ?? []) as readonly CelRule[]),
    ...short.map((expression) => ({ id: expression, message: '', expression })),
  ];
  for (const { id, message, expression } of written) {
    found.ids.add(id);
    // The text of protovalidate for an expression that is false.
    found.texts.add(message || `"${expression}" returned false`);
  }
  const { value } = (rules['type'] ?? {}) as { readonly value?: RuleSet };
  for (const name of ['items', 'keys', 'values']) {
    collect(value?.[name] as object | undefined, found);
  }
}

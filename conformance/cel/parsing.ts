import { parse } from '@bufbuild/cel';
import { getParsingSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { KindAdorner, toDebugString } from '@bufbuild/cel-spec/testdata/to-debug-string.js';
import { checkSource } from '../../libs/authz/src/cel/check/checker.js';
import { CEL, type CelType } from '../../libs/authz/src/cel/cel-type.js';
import { Tally, type Reason } from './reasons.js';
import { types } from './spec-values.js';

const REASONS: readonly Reason[] = [
  {
    because:
      'limits of depth that only the case sets; ours is that of the stack, which is a mistake too',
    cases: /too many|not fine|^y!=y|^1 \+ 2 \+ 3|^a\.b\.c\.d|^a\[1\]\[2\]/,
    count: 7,
  },
  {
    because: 'the accumulator has a name that no expression can write, so this one is free',
    cases: /__result__/,
    count: 3,
  },
  {
    because: 'the parser of @bufbuild/cel 0.6 takes an unknown escape',
    cases: /Illegal escape/,
    count: 1,
  },
];

/** Names of the cases, which are about syntax only. */
const NAMES = 'a b c d e f g h m p v x y z foo';
const variables = new Map<string, CelType>(NAMES.split(' ').map((name) => [name, CEL.dyn]));

/** Trees as cel-go's; where it has none, a mistake of ours. */
export function runParsing(): number {
  const tally = new Tally('parsing', REASONS);
  for (const { original, ast } of getParsingSuite().tests) {
    const { mistakes } = checkSource(original.expr, { variables, types });
    const texts = mistakes.map(({ message }) => message);
    tally.add(
      original.expr,
      ast === undefined ? refusal(texts) : otherTree(original.expr, ast),
      texts,
    );
  }
  return tally.end();
}

function refusal(mistakes: readonly string[]): string | undefined {
  return mistakes.length > 0 ? undefined : 'is taken';
}

function otherTree(source: string, ast: string): string | undefined {
  try {
    const { expr } = parse(source);
    const tree = expr === undefined ? '' : toDebugString(expr, KindAdorner.singleton);
    return tree === ast ? undefined : `is ${tree}, not ${ast}`;
  } catch (error) {
    return String(error);
  }
}

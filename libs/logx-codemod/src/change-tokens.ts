import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';
import type { FileChange } from './file-change.js';

/** The names of the loggers of classes that had a PinoLogger without a name. */
export interface TokenFacts {
  /** The code of the logger's name by class; empty for the name of the class. */
  readonly plain: ReadonlyMap<string, string>;
  /** Classes whose loggers stay as they are. */
  readonly left: ReadonlySet<string>;
}

/** `getLoggerToken(Refunds.name)` of classes that have changed. */
export function changeTokenCalls(change: FileChange, { left }: TokenFacts): void {
  for (const { exported, references } of change.file.names) {
    if (exported !== 'getLoggerToken') continue;
    for (const reference of references) {
      const call = reference.parent;
      const name = ts.isCallExpression(call) ? call.arguments[0]?.getText() : undefined;
      if (!left.has(name?.replace(/\.name$/, '') ?? '')) change.rename(reference, 'loggerToken');
    }
  }
}

/** `provide: PinoLogger` and `app.get(PinoLogger)`. */
export function changeTokens(
  tokens: readonly ts.Identifier[],
  change: FileChange,
  facts: TokenFacts,
): void {
  let provided: string | undefined;
  for (const token of tokens.filter((it) => ts.isPropertyAssignment(it.parent))) {
    const classes = classesBeside(token, facts);
    const [only] = classes;
    if (only === undefined || classes.length > 1) {
      change.leftOvers.push({
        position: token.getStart(),
        what: 'a provider of PinoLogger',
        remedy: 'provide loggerToken(Name.name) for each class that a logger is injected into',
        row: '`getLoggerToken(Refunds.name)`',
      });
      continue;
    }
    const name = facts.plain.get(only) || `${only}.name`;
    provided = `${change.use('loggerToken')}(${name})`;
    change.replace(token, provided);
    change.gone(token);
  }
  for (const token of tokens.filter((it) => isAsked(it))) {
    const call = token.parent as ts.CallExpression;
    const around = call.parent;
    const isNests =
      ts.isCallExpression(around) && around.expression.getText().endsWith('.useLogger');
    if (isNests) {
      change.rename(token, 'LogxLoggerService');
      continue;
    }
    change.replace(token, provided ?? change.use('LOGX_LOGGER'));
    change.gone(token);
    if (call.typeArguments === undefined) {
      change.insert(call.expression.end, `<${change.use('Logger', true)}>`);
    }
  }
}

function isAsked({ parent }: ts.Identifier): boolean {
  return ts.isCallExpression(parent) && parent.expression.getText() !== 'Inject';
}

/** Classes in the same list of providers that a logger is injected into. */
function classesBeside(token: ts.Identifier, { plain }: TokenFacts): string[] {
  const list = ts.findAncestor(token, ts.isArrayLiteralExpression);
  const module = list && ts.findAncestor(list.parent, ts.isObjectLiteralExpression);
  const found = new Set<string>();
  if (module !== undefined) {
    visit(module, (it) => void (ts.isIdentifier(it) && plain.has(it.text) && found.add(it.text)));
  }
  return [...found];
}
